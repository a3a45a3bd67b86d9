import { Box, Card, Stack, Text, Title } from '@mantine/core';
import type { Overview } from '../api/answers';
import { PageLink } from '../elements/links';
import { Ago, clockTime } from '../elements/time';
import { endpointName } from '../endpoints/endpoint-name';
import classes from './rows.module.css';
import { WaitingLink } from './waiting-link';

/** Endpoints that get their deliveries late though nothing fails: how many wait, and until when. Empty without any. */
export function BehindCard({ behind }: Pick<Overview, 'behind'>) {
  if (behind.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="behind">
      <Stack gap="xs">
        <Title order={2} id="behind">
          Falling behind
        </Title>
        <Box component="ul" className={classes['list']}>
          {behind.map((row) => (
            <BehindRow key={row.endpoint.id} row={row} />
          ))}
        </Box>
      </Stack>
    </Card>
  );
}

function BehindRow({ row }: { readonly row: Overview['behind'][number] }) {
  const { endpoint, waiting, oldest_at: oldestAt } = row;
  return (
    <Box component="li" className={classes['row']}>
      <Stack gap={4} className={classes['about']}>
        <PageLink
          to="/dashboard/endpoints/$endpointId"
          params={{ endpointId: endpoint.id }}
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {endpointName(endpoint)}
        </PageLink>
        <Text size="sm">
          <WaitingLink endpointId={endpoint.id} waiting={waiting} />, the oldest was accepted <Ago at={oldestAt} />.
        </Text>
        <Text size="sm" c="dimmed" className="figures">
          {ratesInWords(row)}
        </Text>
      </Stack>
    </Box>
  );
}

/** `12 arrive and 30 are delivered a minute. Nothing waits any more at about 2:40 PM.` */
function ratesInWords(row: Overview['behind'][number]): string {
  const { arrived_per_minute: arrived, delivered_per_minute: delivered, through_at: throughAt } = row;
  const number = (perMinute: number): string => perMinute.toLocaleString('en', { maximumFractionDigits: 1 });
  const rates = `${number(arrived)} arrive and ${number(delivered)} are delivered a minute.`;
  if (throughAt !== null) return `${rates} Nothing waits any more at about ${clockTime(throughAt)}.`;
  return arrived >= delivered ? `${rates} The backlog does not get shorter.` : rates;
}
