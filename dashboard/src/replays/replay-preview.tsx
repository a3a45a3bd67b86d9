import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { closedBy } from '../../../src/domain/delivery-contract';
import type { ReplayPreview as Preview } from '../api/answers';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { endpointsQuery } from '../endpoints/endpoint-queries';

interface ReplayPreviewProps {
  /** Undefined while it is counted. */
  readonly preview: Preview | undefined;
  readonly error: unknown;
  readonly endpointId: string | null;
}

/** How many deliveries a replay would send, and why that may fail. */
export function ReplayPreview({ preview, error, endpointId }: ReplayPreviewProps) {
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
      {endpointId !== null && preview?.endpoint_failed && (
        <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />} title="This endpoint may still fail">
          The newest delivery to it failed.{' '}
          <PageLink to="/dashboard/endpoints/$endpointId" params={{ endpointId }} inherit underline="always">
            Send a test event
          </PageLink>{' '}
          first.
        </Alert>
      )}
      {closed && <Text size="sm">The endpoint is {closed}: what you send again waits until it is active.</Text>}
    </Stack>
  );
}

function matchedText({ matched, at_least: atLeast }: Preview): string {
  if (matched === 0) return atLeast ? 'Very many events; the replay counts them.' : 'No delivery matches.';
  const count = `${atLeast ? 'At least ' : ''}${matched.toLocaleString('en')}`;
  return `${count} ${matched === 1 ? 'delivery matches' : 'deliveries match'}.`;
}
