import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { MAX_REPLAY_RATE } from '../../../src/domain/replay-contract';
import type { Replay } from '../api/answers';
import { useNow } from '../elements/clock';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { RateField } from '../elements/rate-field';
import { remainingTime } from '../elements/time';
import { timeInSentence } from '../elements/written-time';
import { useChangeReplay } from './replay-queries';
import { durationMs, leftOf } from './replay-time';

interface ReplayRateFormProps {
  readonly replay: Replay;
  readonly onClose: () => void;
}

interface ReplayRateDialogProps extends ReplayRateFormProps {
  readonly opened: boolean;
}

/** Asks how fast a running replay goes on. */
export function ReplayRateDialog({ opened, ...form }: ReplayRateDialogProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Change the rate" centered>
      <ReplayRateForm {...form} />
    </Modal>
  );
}

function ReplayRateForm({ replay, onClose }: ReplayRateFormProps) {
  const change = useChangeReplay(replay.job_id);
  const [rate, setRate] = useState<number | null>(replay.rate_per_second);
  const now = useNow();
  const left = leftOf(replay);
  const takesMs = left === undefined || rate === null ? undefined : durationMs(left, rate);
  return (
    <form onSubmit={onSubmit(() => rate !== null && change.mutate({ rate_per_second: rate }, { onSuccess: onClose }))}>
      <Stack>
        <ProblemAlert error={change.error} title="The rate was not changed" />
        <RateField value={rate} max={MAX_REPLAY_RATE} onChange={setRate} />
        {takesMs !== undefined && (
          <Text size="sm" c="dimmed" className="figures" role="status">
            {`${left?.toLocaleString('en')} left: about ${remainingTime(takesMs)}, through ${timeInSentence(now + takesMs, now)}`}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Go back
          </Button>
          <Button type="submit" loading={change.isPending} disabled={rate === null}>
            Change the rate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
