import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { closedBy } from '../../../src/domain/delivery-contract';
import { MAX_RUNS } from '../../../src/domain/replay-contract';
import type { ReplayPreview as Preview } from '../api/answers';
import { useNow } from '../elements/clock';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { remainingTime } from '../elements/time';
import { clockTime, timeInSentence } from '../elements/written-time';
import { endpointsQuery, waitingQuery } from '../endpoints/endpoint-queries';
import { durationMs } from './replay-time';

interface ReplayPreviewProps {
  /** Undefined while it is counted. */
  readonly preview: Preview | undefined;
  readonly error: unknown;
  readonly state: string;
  readonly endpointId: string | null;
  readonly ratePerSecond: number;
  /** Retries what is still retried instead. */
  readonly onRetryAll: () => void;
}

/** How many deliveries a replay would send, how long that takes, and why it may fail. */
export function ReplayPreview({ preview, error, state, endpointId, ratePerSecond, onRetryAll }: ReplayPreviewProps) {
  const { data } = useQuery(endpointsQuery);
  const endpoint = data?.endpoints.find(({ id }) => id === endpointId);
  const closed = endpoint && closedBy(endpoint);
  return (
    <Stack gap="xs">
      <ProblemAlert error={error} title="The deliveries could not be counted" />
      {!error && (
        <Text size="sm" fw={600} role="status" className="figures">
          {preview === undefined ? 'Counting…' : matchedText(preview)}
        </Text>
      )}
      {preview !== undefined && preview.matched > 0 && <Outlook preview={preview} ratePerSecond={ratePerSecond} />}
      {state === 'failed' && endpointId !== null && preview?.matched === 0 && (
        <StillRetried endpointId={endpointId} onRetryAll={closed ? undefined : onRetryAll} />
      )}
      {endpointId !== null && preview?.endpoint_failed && (
        <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />} title="This endpoint may still fail">
          The newest delivery to it failed.{' '}
          <PageLink to="/dashboard/endpoints/$endpointId" params={{ endpointId }} inherit underline="always">
            Send a test event
          </PageLink>{' '}
          first.
        </Alert>
      )}
      {closed && (
        <Text size="sm">
          The endpoint is {closed}:{' '}
          {state === 'retrying'
            ? 'nothing is retried before it is active.'
            : 'what you send again waits until it is active.'}
        </Text>
      )}
    </Stack>
  );
}

interface StillRetriedProps {
  readonly endpointId: string;
  /** Absent where nothing can be sent now. */
  readonly onRetryAll: (() => void) | undefined;
}

/** Where no delivery has failed: what is still retried, and that it can be retried now. */
function StillRetried({ endpointId, onRetryAll }: StillRetriedProps) {
  const { data } = useQuery(waitingQuery(endpointId));
  if (!data || data.scheduled === 0) return null;
  const { scheduled, next_attempt_at: nextAt, complete } = data;
  return (
    <Alert color="blue" icon={<RotateCw size={18} aria-hidden />} title="No delivery has used up its attempts">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="figures">
          {inWords(scheduled)}
          {!complete && ' or more'} {scheduled === 1 ? 'is' : 'are'} still being retried by{' '}
          {scheduled === 1 ? 'itself' : 'themselves'}
          {nextAt !== null && `, the next at ${clockTime(nextAt)}`}.
        </Text>
        {onRetryAll && (
          <Button size="compact-sm" variant="default" onClick={onRetryAll}>
            Retry all now
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface OutlookProps {
  readonly preview: Preview;
  readonly ratePerSecond: number;
}

/** When a replay that starts now is through, and what it skips. */
function Outlook({ preview, ratePerSecond }: OutlookProps) {
  const now = useNow();
  const { matched, at_least: atLeast, endpoint_removed: removed, at_run_limit: atRunLimit } = preview;
  const takesMs = durationMs(matched, ratePerSecond);
  const skipped = [
    ...(removed > 0 ? [`${inWords(removed)} to endpoints that were removed`] : []),
    ...(atRunLimit > 0
      ? [`${inWords(atRunLimit)} that ${atRunLimit === 1 ? 'has' : 'have'} had ${MAX_RUNS} runs`]
      : []),
  ];
  return (
    <Text size="sm" className="figures">
      {atLeast
        ? `At ${ratePerSecond} a second, ${inWords(matched)} of them take ${remainingTime(takesMs)}; all take longer.`
        : `At ${ratePerSecond} a second, this takes ${remainingTime(takesMs)}: through ${timeInSentence(now + takesMs, now)}, or later if the account's deliveries of a minute are used up.`}
      {skipped.length > 0 && ` Skipped: ${skipped.join(', ')}.`}
    </Text>
  );
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}

function matchedText({ matched, at_least: atLeast }: Preview): string {
  if (matched === 0) return atLeast ? 'None of the newest events matches; older ones may.' : 'No delivery matches.';
  const count = `${atLeast ? 'At least ' : ''}${inWords(matched)}`;
  return `${count} ${matched === 1 ? 'delivery matches' : 'deliveries match'}.`;
}
