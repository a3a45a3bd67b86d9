import { Button, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_REPLAY_RATE, MAX_REPLAY_RATE, REPLAYABLE_STATES } from '../../../src/domain/replay-contract';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { stateLabel } from '../elements/state-badge';
import { timeBefore } from '../elements/time';
import { endpointsQuery } from '../endpoints/endpoint-queries';
import { useStartReplay } from './replay-queries';
import { SPANS } from './spans';

/** Which deliveries to send again, and how fast. */
export function StartReplayDialog({ onClose }: { readonly onClose: () => void }) {
  const { data } = useQuery(endpointsQuery);
  const start = useStartReplay();
  const [state, setState] = useState<string>('failed');
  const [endpointId, setEndpointId] = useState<string | null>(null);
  const [span, setSpan] = useState<string | null>('24');
  const [rate, setRate] = useState(DEFAULT_REPLAY_RATE);
  const submit = onSubmit((typed) => {
    const type = typed('type');
    start.mutate(
      {
        filter: {
          state,
          ...(endpointId !== null && { endpoint_id: endpointId }),
          ...(type !== '' && { type }),
          ...(span !== null && { after: timeBefore(Number(span)) }),
        },
        rate_per_second: rate,
      },
      { onSuccess: onClose },
    );
  });
  return (
    <Modal opened onClose={onClose} title="Send deliveries again" centered>
      <form onSubmit={submit}>
        <Stack>
          <ProblemAlert error={start.error} title="The replay was not started" fields={['filter.type']} />
          <Select
            label="State of the deliveries"
            data={REPLAYABLE_STATES.map((value) => ({ value, label: stateLabel(value) }))}
            value={state}
            onChange={(value) => setState(value ?? state)}
            allowDeselect={false}
            data-autofocus
          />
          <Select
            label="Endpoint"
            placeholder="Any"
            data={(data?.endpoints ?? []).map(({ id, url }) => ({ value: id, label: url }))}
            value={endpointId}
            onChange={setEndpointId}
            clearable
          />
          <TextInput
            label="Event type"
            name="type"
            placeholder="Any, or order.*"
            error={problemOf(start.error, 'filter.type')}
          />
          <Select
            label="Events accepted in"
            placeholder="Any time"
            data={SPANS}
            value={span}
            onChange={setSpan}
            clearable
          />
          <NumberInput
            label="Maximum per second"
            min={1}
            max={MAX_REPLAY_RATE}
            value={rate}
            onChange={(value) => setRate(Number(value) || DEFAULT_REPLAY_RATE)}
          />
          <Buttons isPending={start.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

function Buttons({ isPending, onCancel }: { readonly isPending: boolean; readonly onCancel: () => void }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        Send again
      </Button>
    </Group>
  );
}
