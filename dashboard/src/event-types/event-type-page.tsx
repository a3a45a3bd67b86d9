import { Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { DescribedType } from '../api/answers';
import { CodeBlock } from '../elements/code-block';
import { lazyDialog } from '../elements/lazy-dialog';
import { PageButton } from '../elements/links';
import { Ago } from '../elements/time';
import { useMay } from '../session/use-may';
import { Page } from '../shell/page';
import { DeprecatedBadge } from './deprecated-badge';
import { describedTypeQuery } from './event-type-queries';
import { SampleCard } from './sample-card';
import { SchemaCard } from './schema-card';

const CreateEndpointDialog = lazyDialog(() => import('../endpoints/create-endpoint-dialog'), 'CreateEndpointDialog');

/** What a type of events is: its fields, an example, and how a delivery of it looks. */
export function EventTypePage() {
  const { name } = useParams({ from: '/dashboard/event-types/$name' });
  const { data: type } = useSuspenseQuery(describedTypeQuery(name));
  return (
    <Page title={type.name} description={<About type={type} />} actions={<Actions name={type.name} />}>
      <Stack gap="lg">
        <SchemaCard schema={type.schema} />
        <Grid gap="lg" key={type.name}>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <ExampleCard example={type.example} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <SampleCard type={type.name} data={type.example ?? {}} />
          </Grid.Col>
        </Grid>
      </Stack>
    </Page>
  );
}

function About({ type }: { readonly type: DescribedType }) {
  return (
    <Stack gap="xs">
      {type.description !== null && <Text style={{ whiteSpace: 'pre-line' }}>{type.description}</Text>}
      <Group gap="sm">
        {type.deprecated && <DeprecatedBadge />}
        {type.group !== null && <Text size="sm">{type.group}</Text>}
        <Text size="sm">Version {type.version}</Text>
        <Text size="sm">
          changed <Ago at={type.updated_at} />
        </Text>
      </Group>
    </Stack>
  );
}

function Actions({ name }: { readonly name: string }) {
  const [isCreating, { open, close }] = useDisclosure(false);
  const canWrite = useMay('endpoints:write');
  return (
    <Group gap="xs">
      <PageButton to="/dashboard/find" search={{ type: name }} variant="default">
        Events of this type
      </PageButton>
      {canWrite && <Button onClick={open}>Create endpoint for this type</Button>}
      <CreateEndpointDialog events={[name]} opened={isCreating} onClose={close} />
    </Group>
  );
}

function ExampleCard({ example }: { readonly example: unknown }) {
  return (
    <Card withBorder padding="lg">
      {example === null ? (
        <Text c="dimmed">This type has no example.</Text>
      ) : (
        <CodeBlock title="Example of data" label="the example" code={JSON.stringify(example, null, 2)} />
      )}
    </Card>
  );
}
