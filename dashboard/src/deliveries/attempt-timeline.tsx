import { Badge, Code, Group, Spoiler, Stack, Text, Timeline } from '@mantine/core';
import { Check, Hand, X } from 'lucide-react';
import { isFinished } from '../../../src/domain/delivery-state';
import type { AttemptWithRequest, DeliveryWithAttempts } from '../api/answers';
import { useNow } from '../elements/clock';
import { Ago, latency, remainingTime } from '../elements/time';
import { exactTime } from '../elements/written-time';
import { AttemptInspector } from './attempt-inspector';
import { attemptsToCome, sentenceOf } from './attempts-to-come';

const FOLDED_HEIGHT = 96;

/** Every attempt in the order it was made and the waits between them, after a line about those to come. */
export function AttemptTimeline({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
  const { attempts, run, endpoint_id: endpointId } = delivery;
  const now = useNow();
  const sentence = sentenceOf(attemptsToCome(delivery, { isOpen: !isFinished(delivery.state), now }), now);
  return (
    <Stack gap="sm">
      {sentence !== undefined && (
        <Text size="sm" c="dimmed" className="figures">
          {sentence}
        </Text>
      )}
      {attempts.length > 0 && (
        <Timeline active={attempts.length - 1} bulletSize={24} lineWidth={2} aria-label="Attempts">
          {attempts.map((attempt, index) => (
            <Timeline.Item
              key={`${attempt.run}/${attempt.number}`}
              color={isSuccess(attempt) ? 'tide' : 'red'}
              bullet={isSuccess(attempt) ? <Check size={14} aria-hidden /> : <X size={14} aria-hidden />}
              title={<AttemptTitle attempt={attempt} isOfEarlierRun={attempt.run < run} />}
            >
              <AttemptBody
                attempt={attempt}
                delivery={delivery}
                name={`attempt ${attempt.number} of run ${attempt.run} to ${endpointId}`}
              />
              <WaitAfter ms={waitBetween(attempt, attempts[index + 1])} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Stack>
  );
}

/** From the end of an attempt until the start of the next one of its run. */
function waitBetween(attempt: AttemptWithRequest, next: AttemptWithRequest | undefined): number | undefined {
  if (next?.run !== attempt.run) return undefined;
  return Math.max(0, Date.parse(next.started_at) - Date.parse(attempt.started_at) - attempt.latency_ms);
}

/** Waits are seconds to a day: their length is drawn by the logarithm. */
const PX_PER_DECADE = 12;

/** A wait, as long as it is drawn. */
function WaitAfter({ ms }: { readonly ms: number | undefined }) {
  if (ms === undefined || ms < 1_000) return null;
  const height = Math.round(PX_PER_DECADE * Math.log10(1 + ms / 1_000));
  return (
    <Text size="xs" c="dimmed" className="figures" style={{ paddingBlock: height / 2 }}>
      {remainingTime(ms)} wait
    </Text>
  );
}

function AttemptTitle({
  attempt,
  isOfEarlierRun,
}: {
  readonly attempt: AttemptWithRequest;
  readonly isOfEarlierRun: boolean;
}) {
  return (
    <Group gap="xs" component="span">
      <span>
        Attempt {attempt.number} {isSuccess(attempt) ? 'succeeded' : 'failed'}
      </span>
      {attempt.status_code !== null && (
        <Badge color={isSuccess(attempt) ? 'tide' : 'red'} variant="light" className="figures">
          {attempt.status_code}
        </Badge>
      )}
      {attempt.trigger === 'manual' && (
        <Badge color="gray" variant="light" tt="none" leftSection={<Hand size={12} aria-hidden />}>
          manual
        </Badge>
      )}
      {isOfEarlierRun && (
        <Badge color="gray" variant="light" tt="none">
          before the replay
        </Badge>
      )}
    </Group>
  );
}

interface AttemptBodyProps {
  readonly attempt: AttemptWithRequest;
  readonly delivery: DeliveryWithAttempts;
  /** Tells its parts from those of every other attempt on the page, for screen readers. */
  readonly name: string;
}

function AttemptBody({ attempt, delivery, name }: AttemptBodyProps) {
  return (
    <Stack gap={6} mt={4}>
      <Text
        size="sm"
        c="dimmed"
        className="figures"
        title={exactTime(attempt.started_at)}
        style={{ overflowWrap: 'anywhere' }}
      >
        <Ago at={attempt.started_at} /> · {latency(attempt.latency_ms)} · {attempt.url}
      </Text>
      {attempt.error !== null && <Text size="sm">{attempt.error}</Text>}
      {attempt.warning !== null && (
        <Text size="sm" c="dimmed">
          {attempt.warning}
        </Text>
      )}
      {attempt.resends > 0 && (
        <Text size="sm" c="dimmed">
          A pooled connection broke before the response, so the request was sent a second time.
        </Text>
      )}
      {attempt.response_snippet !== null && attempt.response_snippet !== '' && (
        <Spoiler
          maxHeight={FOLDED_HEIGHT}
          showLabel="Show the full response"
          hideLabel="Show less"
          attributes={{ content: { 'aria-label': `Response to ${name}` } }}
        >
          <Code block tabIndex={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {attempt.response_snippet}
          </Code>
        </Spoiler>
      )}
      <AttemptInspector attempt={attempt} delivery={delivery} name={name} />
    </Stack>
  );
}

function isSuccess(attempt: AttemptWithRequest): boolean {
  return attempt.error_code === null;
}
