import { Button, Group, Modal, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_REPLAY_RATE, MAX_REPLAY_RATE, REPLAYABLE_STATES } from '../../../src/domain/replay-contract';
import type { ReplayPreview as ReplayPreviewAnswer } from '../api/answers';
import { localZone } from '../elements/local-time';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { stateLabel } from '../elements/state-badge';
import { endpointChoice } from '../endpoints/endpoint-name';
import { endpointsQuery } from '../endpoints/endpoint-queries';
import { endsBeforeStart, filterOfDraft, isTypeFilter, retryDraft, rightTimes, type ReplayDraft } from './replay-draft';
import { ReplayPreview } from './replay-preview';
import { replayPreviewQuery, useStartReplay } from './replay-queries';
import { confirmationOf, isConfirmed, type Confirmation } from './replay-time';

/** Nothing is counted while the user types. */
const TYPING_MS = 400;

interface StartReplayFormProps {
  /** What the form begins with. */
  readonly draft: () => ReplayDraft;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

interface StartReplayDialogProps extends StartReplayFormProps {
  readonly opened: boolean;
}

/** Which deliveries to send again, and how fast. Each time it opens, the form is reset. */
export function StartReplayDialog({ opened, onClose, ...form }: StartReplayDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Send deliveries again" size="lg" centered>
      <StartReplayForm {...form} onClose={onClose} />
    </Modal>
  );
}

/** Says how many deliveries they are before anything is sent. */
function StartReplayForm({ draft: initial, onClose, onStarted }: StartReplayFormProps) {
  const start = useStartReplay();
  const [draft, setDraft] = useState(initial);
  const [rate, setRate] = useState(DEFAULT_REPLAY_RATE);
  const filter = filterOfDraft(draft);
  const [counted] = useDebouncedValue(JSON.stringify(filter), TYPING_MS);
  const hasRightTimes = !endsBeforeStart(filter);
  const isRight = isTypeFilter(draft.type) && hasRightTimes;
  const asked = JSON.parse(counted) as typeof filter;
  const canAsk = isTypeFilter(asked.type ?? '') && !endsBeforeStart(asked);
  const preview = useQuery({ ...replayPreviewQuery(asked), enabled: canAsk });
  const isCounted = counted === JSON.stringify(filter) && !preview.isPlaceholderData;
  const confirmation = confirmationOf(draft.state, preview.data);
  const [typed, setTyped] = useState('');
  // A word that was typed for other deliveries confirms nothing.
  const change = (fields: Partial<ReplayDraft>): void => {
    setDraft((known) => rightTimes({ ...known, ...fields }));
    setTyped('');
  };
  const canStart = isRight && isCounted && !preview.isPending && !isNothing(preview.data);
  return (
    <form onSubmit={onSubmit(() => start.mutate({ filter, rate_per_second: rate }, { onSuccess: onStarted }))}>
      <Stack>
        <ProblemAlert error={start.error} title="The replay was not started" />
        <DraftFields
          draft={draft}
          onChange={change}
          typeProblem={isTypeFilter(draft.type) ? undefined : 'Enter a type such as order.created, or order.*'}
          endProblem={hasRightTimes ? undefined : 'Enter a time after the start'}
        />
        <NumberInput
          label="Maximum per second"
          min={1}
          max={MAX_REPLAY_RATE}
          value={rate}
          onChange={(value) => setRate(Number(value) || DEFAULT_REPLAY_RATE)}
        />
        {isRight && (
          <ReplayPreview
            preview={isCounted ? preview.data : undefined}
            error={preview.error}
            state={draft.state}
            endpointId={draft.endpointId}
            ratePerSecond={rate}
            onRetryAll={() => change(retryDraft(draft.endpointId))}
          />
        )}
        {canStart && confirmation && <ConfirmField confirmation={confirmation} typed={typed} onType={setTyped} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={start.isPending} disabled={!canStart || !isConfirmed(confirmation, typed)}>
            {draft.state === 'retrying' ? 'Retry all now' : 'Send again'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Whether it is known that no delivery matches. */
function isNothing(preview: ReplayPreviewAnswer | undefined): boolean {
  return preview !== undefined && preview.matched === 0 && !preview.at_least;
}

interface ConfirmFieldProps {
  readonly confirmation: NonNullable<Confirmation>;
  readonly typed: string;
  readonly onType: (text: string) => void;
}

/** For many deliveries, or for such as their receivers have already. */
function ConfirmField({ confirmation, typed, onType }: ConfirmFieldProps) {
  return (
    <TextInput
      label={`To confirm, type ${confirmation.word}`}
      description={confirmation.accepted.length > 1 ? 'Or: all' : undefined}
      value={typed}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      autoComplete="off"
    />
  );
}

interface DraftFieldsProps {
  readonly draft: ReplayDraft;
  readonly onChange: (fields: Partial<ReplayDraft>) => void;
  readonly typeProblem: string | undefined;
  readonly endProblem: string | undefined;
}

function DraftFields({ draft, onChange, typeProblem, endProblem }: DraftFieldsProps) {
  const { data } = useQuery(endpointsQuery);
  return (
    <>
      <Select
        label="State of the deliveries"
        data={REPLAYABLE_STATES.map((value) => ({ value, label: stateLabel(value) }))}
        value={draft.state}
        onChange={(state) => onChange({ state: state ?? draft.state })}
        allowDeselect={false}
        data-autofocus
      />
      <Select
        label="Endpoint"
        placeholder="Any"
        data={(data?.endpoints ?? []).map(endpointChoice)}
        searchable
        nothingFoundMessage="Nothing found"
        value={draft.endpointId}
        onChange={(endpointId) => onChange({ endpointId })}
        clearable
      />
      <TextInput
        label="Event type"
        placeholder="Any, or order.*"
        value={draft.type}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value.trim() })}
        error={typeProblem}
      />
      <Select
        label="Time of"
        data={[
          { value: 'ended', label: 'The end of the delivery', disabled: draft.state === 'retrying' },
          { value: 'accepted', label: 'The acceptance of the event' },
        ]}
        value={draft.timesOf}
        onChange={(value) => onChange({ timesOf: value === 'accepted' ? 'accepted' : 'ended' })}
        allowDeselect={false}
        description={`Your time zone: ${localZone()}`}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="datetime-local"
          step={1}
          label="From"
          value={draft.from}
          onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label="To, or empty for now"
          value={draft.to}
          onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
          error={endProblem}
        />
      </SimpleGrid>
    </>
  );
}
