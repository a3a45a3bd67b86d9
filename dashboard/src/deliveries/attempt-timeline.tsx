import { Badge, Code, Group, Spoiler, Stack, Text, Timeline } from '@mantine/core';
import { Check, Hand, X } from 'lucide-react';
import type { DeliveryWithAttempts } from '../api/answers';
import { Ago, exactTime, latency } from '../elements/time';
import { RequestHeaders } from './request-headers';

type Attempt = DeliveryWithAttempts['attempts'][number];

const FOLDED_HEIGHT = 96;

interface AttemptTimelineProps {
  readonly attempts: readonly Attempt[];
  /** The delivery's run and endpoint: earlier runs are marked, and a page may show several endpoints. */
  readonly delivery: Pick<DeliveryWithAttempts, 'run' | 'endpoint_id'>;
}

/** Every attempt in the order it was made: what was sent, what came back, how long it took. */
export function AttemptTimeline({ attempts, delivery }: AttemptTimelineProps) {
  return (
    <Timeline active={attempts.length} bulletSize={24} lineWidth={2}>
      {attempts.map((attempt) => (
        <Timeline.Item
          key={`${attempt.run}/${attempt.number}`}
          color={isSuccess(attempt) ? 'tide' : 'red'}
          bullet={isSuccess(attempt) ? <Check size={14} aria-hidden /> : <X size={14} aria-hidden />}
          title={<AttemptTitle attempt={attempt} isOfEarlierRun={attempt.run < delivery.run} />}
        >
          <AttemptBody
            attempt={attempt}
            name={`attempt ${attempt.number} of run ${attempt.run} to ${delivery.endpoint_id}`}
          />
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function AttemptTitle({ attempt, isOfEarlierRun }: { readonly attempt: Attempt; readonly isOfEarlierRun: boolean }) {
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
  readonly attempt: Attempt;
  /** Tells its parts from those of every other attempt on the page, for screen readers. */
  readonly name: string;
}

function AttemptBody({ attempt, name }: AttemptBodyProps) {
  return (
    <Stack gap={6} mt={4}>
      <Text size="sm" c="dimmed" className="figures" title={exactTime(attempt.started_at)}>
        <Ago at={attempt.started_at} /> · {latency(attempt.latency_ms)}
        {attempt.url !== null && <> · {attempt.url}</>}
      </Text>
      {attempt.error !== null && <Text size="sm">{attempt.error}</Text>}
      {attempt.resends > 0 && (
        <Text size="sm" c="dimmed">
          A pooled connection broke before the response, so the request was sent a second time.
        </Text>
      )}
      {wasSent(attempt) ? (
        <RequestHeaders headers={attempt.request_headers} of={name} />
      ) : (
        <Text size="sm" c="dimmed">
          No request was sent.
        </Text>
      )}
      {attempt.response_snippet !== null && attempt.response_snippet !== '' && (
        <Spoiler
          maxHeight={FOLDED_HEIGHT}
          showLabel="Show the full response"
          hideLabel="Show less"
          attributes={{ content: { 'aria-label': `Response to ${name}` } }}
        >
          <Code block tabIndex={0}>
            {attempt.response_snippet}
          </Code>
        </Spoiler>
      )}
    </Stack>
  );
}

/** Failures before there was a connection that could carry the request. */
const UNSENT: readonly Attempt['error_code'][] = [
  'dns_error',
  'connection_refused',
  'tls_error',
  'blocked_address',
  'proxy_error',
];

function wasSent(attempt: Attempt): boolean {
  return !UNSENT.includes(attempt.error_code);
}

function isSuccess(attempt: Attempt): boolean {
  return attempt.error_code === null;
}
