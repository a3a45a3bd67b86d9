import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint } from '../api/answers';
import { useNow } from '../elements/clock';
import { ProblemAlert } from '../elements/problem-alert';
import { clockTime } from '../elements/time';
import { BacklogDialogs } from './backlog-dialogs';
import { BACKLOG_MS, backlogOf } from './backlog-queries';
import { endpointQuery, useEndpointState, waitingQuery } from './endpoint-queries';
import { numberOf, timeToSend } from './time-to-send';
import { useMay } from '../session/use-may';

/** How far the backlog of a resumed endpoint is, and when it is through. Nothing, once it is. */
export function BacklogProgress({ endpoint: known }: { readonly endpoint: Endpoint }) {
  const { data: endpoint = known } = useQuery({ ...endpointQuery(known.id), refetchInterval: BACKLOG_MS });
  const { data: waiting } = useQuery({ ...waitingQuery(known.id), refetchInterval: BACKLOG_MS });
  const state = useEndpointState(known.id);
  const [dialog, setDialog] = useState<'rate' | 'drop' | null>(null);
  const canWrite = useMay('endpoints:write');
  const canCancel = useMay('deliveries:write');
  const now = useNow();
  if (endpoint.backlog === null) return null;
  const { per_second: rate, since } = endpoint.backlog;
  if (endpoint.status !== 'active') {
    return (
      <Text size="sm">After the next resume, at most {rate} a second are sent, unless you choose another rate.</Text>
    );
  }
  const backlog = waiting && backlogOf(waiting);
  const perSecond = Math.min(rate, endpoint.options.max_per_second ?? Infinity);
  return (
    <Stack gap="xs">
      <Text size="sm" className="figures">
        What waited is sent since {clockTime(since)}, at most {rate} a second.
        {backlog && ` ${numberOf(backlog)} left: ${timeToSend(backlog, perSecond, now)}.`}
      </Text>
      <Group gap="xs">
        {canWrite && (
          <>
            <Button size="compact-sm" variant="default" disabled={!backlog} onClick={() => setDialog('rate')}>
              Change the rate
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              loading={state.isPending}
              onClick={() => state.mutate('pause')}
              aria-label="Pause the backlog"
            >
              Pause
            </Button>
          </>
        )}
        {canCancel && (
          <Button size="compact-sm" variant="subtle" color="red" disabled={!backlog} onClick={() => setDialog('drop')}>
            Drop the backlog
          </Button>
        )}
      </Group>
      <ProblemAlert error={state.error} title="The request failed" />
      {backlog && <BacklogDialogs endpoint={endpoint} backlog={backlog} opened={dialog} onOpen={setDialog} />}
    </Stack>
  );
}
