import { Select, Textarea } from '@mantine/core';
import { BODY_CHOICES, type BodyChoice } from './body-shapes';
import type { EndpointDraft } from './endpoint-draft';

interface BodyFieldsProps {
  readonly draft: EndpointDraft;
  /** What the server said of an option at the last try. */
  readonly refused: (option: string) => string | undefined;
  readonly onChange: (part: Partial<EndpointDraft>) => void;
}

const CHOICES = Object.entries(BODY_CHOICES).map(([value, label]) => ({ value, label }));

/** What the body of a delivery is, and which members of `data` are in it. */
export function BodyFields({ draft, refused, onChange }: BodyFieldsProps) {
  return (
    <>
      <Select
        label="Body"
        description="What each request contains, for events from now on. Receivers of other senders often expect the data alone."
        data={CHOICES}
        value={draft.body}
        onChange={(value) => onChange({ body: (value ?? 'default') as BodyChoice })}
        allowDeselect={false}
        error={refused('body')}
      />
      <Paths
        label="Only these members of data"
        description="One path per line, such as customer.country. If empty: all."
        value={draft.include}
        onChange={(include) => onChange({ include })}
        error={refused('include')}
      />
      <Paths
        label="Without these members of data"
        description="One path per line, such as customer.email. If empty: none is left out."
        value={draft.exclude}
        onChange={(exclude) => onChange({ exclude })}
        error={refused('exclude')}
      />
    </>
  );
}

interface PathsProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

function Paths({ onChange, ...field }: PathsProps) {
  return (
    <Textarea
      {...field}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autosize
      minRows={1}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
