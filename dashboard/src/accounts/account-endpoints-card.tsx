import { Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { HEALTH_STATES } from '../../../src/domain/endpoint-health';
import type { AccountDetail } from '../api/answers';
import { breakable } from '../elements/breakable';
import { NameCell, ScrollTable } from '../elements/data-table';
import { StateBadge } from '../elements/state-badge';
import { endpointName } from '../endpoints/endpoint-name';
import { ViewButton } from './view-button';

interface AccountEndpointsCardProps {
  readonly account: AccountDetail;
  readonly isOwn: boolean;
}

/** How an account's endpoints do, and those that need attention, each with the way to its page. */
export function AccountEndpointsCard({ account: { id, endpoints }, isOwn }: AccountEndpointsCardProps) {
  const { total, counts, troubled, more } = endpoints;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="account-endpoints">
      <Stack>
        <Title order={2} id="account-endpoints">
          Endpoints
        </Title>
        {total === 0 ? (
          <Text size="sm">This account has no endpoints.</Text>
        ) : (
          <Group gap="xs">
            {HEALTH_STATES.filter((state) => counts[state] > 0).map((state) => (
              <StateBadge key={state} state={state} detail={counts[state].toLocaleString('en')} />
            ))}
          </Group>
        )}
        {troubled.length > 0 && (
          <ScrollTable
            label="Endpoints that need attention"
            minWidth={360}
            columns={['Endpoint', 'State', { title: 'Actions', isHidden: true }]}
          >
            {troubled.map((endpoint) => (
              <Table.Tr key={endpoint.id}>
                <NameCell>{breakable(endpointName(endpoint))}</NameCell>
                <Table.Td>
                  <StateBadge state={endpoint.state} />
                </Table.Td>
                <Table.Td>
                  {!isOwn && (
                    <ViewButton id={id} name={endpointName(endpoint)} page={`/dashboard/endpoints/${endpoint.id}`} />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </ScrollTable>
        )}
        {more > 0 && <Text size="sm">{more.toLocaleString('en')} more need attention.</Text>}
      </Stack>
    </Card>
  );
}
