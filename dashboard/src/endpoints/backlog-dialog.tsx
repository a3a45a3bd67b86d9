import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { MAX_PER_DESTINATION } from '../../../src/domain/delivery-contract';
import type { Endpoint } from '../api/answers';
import { useNow } from '../elements/clock';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { RateField } from '../elements/rate-field';
import { clockTime } from '../elements/time';
import { useResume, type Backlog } from './backlog-queries';
import { numberOf, timeToSend } from './time-to-send';

/** As many as a bulk replay starts, unless another rate is chosen. */
const DEFAULT_RATE = 50;
/** As an endpoint's own `max_per_second`. */
const MAX_RATE = 1_000;

interface BacklogFormProps {
  readonly endpoint: Endpoint;
  readonly backlog: Backlog;
  readonly onClose: () => void;
  /** Offers to cancel what waits instead. */
  readonly onDrop: () => void;
}

interface BacklogDialogProps extends BacklogFormProps {
  readonly opened: boolean;
}

/** Asks how fast what waits is sent, before an endpoint is resumed or while it is sent. */
export function BacklogDialog({ opened, ...form }: BacklogDialogProps) {
  const isActive = form.endpoint.status === 'active';
  return (
    <Modal
      opened={opened}
      onClose={form.onClose}
      title={isActive ? 'Change the rate' : 'Resume this endpoint'}
      centered
    >
      <BacklogForm {...form} />
    </Modal>
  );
}

function BacklogForm({ endpoint, backlog, onClose, onDrop }: BacklogFormProps) {
  const resume = useResume(endpoint.id);
  const [rate, setRate] = useState<number | null>(endpoint.backlog?.per_second ?? DEFAULT_RATE);
  return (
    <form onSubmit={onSubmit(() => resume.mutate(rate, { onSuccess: onClose }))}>
      <Stack>
        <ProblemAlert error={resume.error} title="The request failed" />
        <Text size="sm" className="figures">
          <b>{numberOf(backlog)}</b> {backlog.deliveries === 1 ? 'delivery waits' : 'deliveries wait'}
          {backlog.since !== null && `, the first since ${clockTime(backlog.since)}`}. The oldest are sent first.
        </Text>
        <RateField
          value={rate}
          max={MAX_RATE}
          onChange={setRate}
          whenEmpty={`Empty for no limit: up to ${MAX_PER_DESTINATION} requests at once`}
        />
        <Outlook endpoint={endpoint} backlog={backlog} rate={rate} />
        <Group justify="space-between">
          <Button variant="subtle" color="red" onClick={onDrop}>
            Drop the backlog
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Go back
            </Button>
            <Button type="submit" loading={resume.isPending}>
              {endpoint.status === 'active' ? 'Change the rate' : 'Resume'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function Outlook({
  endpoint,
  backlog,
  rate,
}: Pick<BacklogFormProps, 'endpoint' | 'backlog'> & { rate: number | null }) {
  const now = useNow();
  const own = endpoint.options.max_per_second;
  const perSecond = Math.min(own ?? Infinity, rate ?? Infinity);
  return (
    <Text size="sm" c="dimmed" className="figures" role="status">
      {Number.isFinite(perSecond)
        ? `At ${perSecond} a second${perSecond === own ? ", the endpoint's own rate" : ''}: ${timeToSend(backlog, perSecond, now)}. `
        : 'As fast as the endpoint answers. '}
      {rate !== null && 'Until all is sent, new events wait in line too.'}
    </Text>
  );
}
