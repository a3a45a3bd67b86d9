import { Progress, Stack, Table, Text } from '@mantine/core';
import type { AttemptWithRequest } from '../api/answers';
import { latency } from '../elements/time';

type Timings = AttemptWithRequest['timings'];

const PHASES: readonly { readonly part: keyof Timings; readonly label: string }[] = [
  { part: 'queued_ms', label: 'Waited in the queue' },
  { part: 'dns_ms', label: 'Name look-up' },
  { part: 'connect_ms', label: 'Connection' },
  { part: 'tls_ms', label: 'TLS handshake' },
  { part: 'first_byte_ms', label: 'Until the status' },
  { part: 'body_ms', label: 'Body of the response' },
];

interface AttemptTimingsProps {
  readonly timings: Timings;
  readonly wasSent: boolean;
  /** Names the attempt, for screen readers. */
  readonly name: string;
}

/** Where the time of an attempt went. */
export function AttemptTimings({ timings, wasSent, name }: AttemptTimingsProps) {
  const rows = PHASES.flatMap(({ part, label }) => {
    const ms = timings[part];
    return ms === null ? [] : [{ label, ms }];
  });
  const longest = Math.max(1, ...rows.map(({ ms }) => ms));
  return (
    <Stack gap={4} maw={520}>
      <Text size="sm" fw={600}>
        Timings
      </Text>
      <Table aria-label={`Timings of ${name}`} verticalSpacing={2} horizontalSpacing={0} withRowBorders={false} fz="sm">
        <Table.Tbody>
          {rows.map(({ label, ms }) => (
            <Table.Tr key={label}>
              <Table.Th fw={400}>{label}</Table.Th>
              <Table.Td className="figures" ta="right" px="md" style={{ whiteSpace: 'nowrap' }}>
                {latency(ms)}
              </Table.Td>
              <Table.Td w="40%">
                <Progress value={(ms / longest) * 100} size="sm" aria-hidden />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {wasSent && timings.connect_ms === null && (
        <Text size="sm" c="dimmed">
          The request used a kept connection.
        </Text>
      )}
    </Stack>
  );
}
