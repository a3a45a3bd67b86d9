import { Accordion, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Endpoint } from '../api/answers';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { bodyOf, draftOf, type DraftProblems, type EndpointBody, type EndpointDraft } from './endpoint-draft';
import { OptionFields } from './option-fields';
import type { RehearsedChange } from '../rehearsals/rehearsal-queries';
import { RehearseButton } from '../rehearsals/rehearse-button';
import { PatternPicker } from './pattern-picker';

interface EndpointFormProps {
  readonly draft: EndpointDraft;
  readonly onChange: (parts: Partial<EndpointDraft>) => void;
  /** What it was opened with: only what differs is sent. Undefined for a new endpoint. */
  readonly opened?: Endpoint;
  /** Shown above the fields. */
  readonly notice?: ReactNode;
  readonly verb: string;
  readonly failure: string;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSend: (body: EndpointBody) => void;
  readonly onCancel: () => void;
}

/** Shown when a field of the options can't be parsed, before anything is sent. */
const UNREADABLE = new Error('A field is not valid. It is marked below.');

/** An endpoint's URL, patterns, description and options. */
export function EndpointForm(props: EndpointFormProps) {
  const { draft, onChange: change, opened, notice, verb, failure, error, isPending, onSend, onCancel } = props;
  const { read, problems, isUnfolded, setIsUnfolded } = useReading(draft, opened);
  const submit = onSubmit(() => {
    const body = read();
    if (body) onSend(body);
  });
  const [hasRehearsed, setHasRehearsed] = useState(false);
  const rehearsed = (): RehearsedChange | undefined => {
    const body = read();
    setHasRehearsed(body !== undefined);
    return body && { ...body, ...(opened && { id: opened.id }) };
  };
  const isUnreadable = Object.keys(problems).length > 0;
  return (
    <form onSubmit={submit}>
      <Stack>
        {notice}
        <ProblemAlert
          error={isUnreadable ? UNREADABLE : error}
          title={failure}
          fields={['url', 'events', 'description', 'metadata']}
        />
        <TextInput
          label="URL"
          description="A public HTTPS URL. Each delivery is a signed POST to it."
          placeholder="https://example.com/webhooks"
          value={draft.url}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          error={problemOf(error, 'url')}
          required
          data-autofocus={hasRehearsed ? undefined : true}
        />
        <PatternPicker
          patterns={draft.events}
          onChange={(events) => change({ events })}
          error={problemOf(error, 'events')}
        />
        <Textarea
          label="Description"
          placeholder="Order service, staging"
          value={draft.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          maxLength={500}
          autosize
          error={problemOf(error, 'description')}
        />
        <MetadataField draft={draft} problem={problems.metadata ?? problemOf(error, 'metadata')} onChange={change} />
        <FoldedOptions isUnfolded={isUnfolded} onToggle={setIsUnfolded}>
          <OptionFields
            draft={draft}
            problems={problems}
            error={error}
            stored={opened?.options.authentication ?? null}
            onChange={change}
          />
        </FoldedOptions>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <RehearseButton read={rehearsed} takesFocus={hasRehearsed} />
          <Button type="submit" loading={isPending}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Reads the draft when something is done with it, and then says which fields can't be read. */
function useReading(draft: EndpointDraft, opened: Endpoint | undefined) {
  const [problems, setProblems] = useState<DraftProblems>({});
  const [isUnfolded, setIsUnfolded] = useState(false);
  const read = (): EndpointBody | undefined => {
    const { body, problems: found } = bodyOf(draft, opened && draftOf(opened));
    setProblems(found);
    if (Object.keys(found).length === 0) return body;
    // All other fields that can't be read are options.
    if (found.metadata === undefined || Object.keys(found).length > 1) setIsUnfolded(true);
    return undefined;
  };
  return { read, problems, isUnfolded, setIsUnfolded };
}

interface MetadataFieldProps extends Pick<EndpointFormProps, 'draft' | 'onChange'> {
  readonly problem: string | undefined;
}

function MetadataField({ draft, problem, onChange }: MetadataFieldProps) {
  return (
    <Textarea
      label="Metadata"
      description="A JSON object of texts. It is shown with the endpoint and found by its search, and never sent."
      placeholder={'{"owner": "payments"}'}
      value={draft.metadata}
      onChange={({ currentTarget }) => onChange({ metadata: currentTarget.value })}
      autosize
      error={problem}
    />
  );
}

interface FoldedOptionsProps {
  readonly isUnfolded: boolean;
  readonly onToggle: (isUnfolded: boolean) => void;
  readonly children: ReactNode;
}

function FoldedOptions({ isUnfolded, onToggle, children }: FoldedOptionsProps) {
  return (
    <Accordion
      variant="separated"
      value={isUnfolded ? 'options' : null}
      onChange={(opened) => onToggle(opened !== null)}
    >
      <Accordion.Item value="options">
        <Accordion.Control>Options: schedule, rate, order, headers, filter</Accordion.Control>
        <Accordion.Panel>{children}</Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
