import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { BODY_CHOICES, type BodyChoice } from '../endpoints/body-shapes';
import type { AccountDraft, EventTypeChoice } from './account-draft';

interface AccountEventFieldsProps {
  readonly draft: AccountDraft;
  readonly onChange: (parts: Partial<AccountDraft>) => void;
  /** What is wrong with the field at this path of the body. */
  readonly problemAt: (path: string) => string | undefined;
}

const BODIES = Object.entries({ ...BODY_CHOICES, default: "The installation's: the envelope" }).map(
  ([value, label]) => ({ value, label }),
);

const MODES: readonly { readonly value: EventTypeChoice; readonly label: string }[] = [
  { value: 'default', label: "The installation's" },
  { value: 'open', label: 'Open: every event is accepted' },
  { value: 'warn', label: 'Warn: mismatches are marked' },
  { value: 'strict', label: 'Strict: mismatches are refused' },
];

/** What becomes of the account's events: how they are checked, how they are sent, and how long they are kept. */
export function AccountEventFields({ draft, onChange, problemAt }: AccountEventFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Check of event types"
        description="Whether events have to match the catalog, from the next call on."
        data={[...MODES]}
        value={draft.eventTypes}
        onChange={(mode) => onChange({ eventTypes: mode ?? 'default' })}
        allowDeselect={false}
        error={problemAt('event_types')}
      />
      <Select
        label="Body of deliveries"
        description="For endpoints that name none, for events from now on."
        data={BODIES}
        value={draft.body}
        onChange={(body) => onChange({ body: (body ?? 'default') as BodyChoice })}
        allowDeselect={false}
        error={problemAt('defaults')}
      />
      <NumberInput
        label="Days that events are kept"
        description="After their last delivery, for events from now on."
        placeholder="As long as the installation keeps them"
        value={draft.retentionDays ?? ''}
        onChange={(days) => onChange({ retentionDays: typeof days === 'number' ? days : null })}
        allowDecimal={false}
        allowNegative={false}
        error={problemAt('retention_days')}
      />
    </SimpleGrid>
  );
}
