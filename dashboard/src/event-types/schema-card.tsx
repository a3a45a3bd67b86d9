import { Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { breakable } from '../elements/breakable';
import { CodeBlock } from '../elements/code-block';
import { NameCell, ScrollTable } from '../elements/data-table';
import { Folded } from '../elements/folded';
import { DeprecatedBadge } from './deprecated-badge';
import { schemaRows, type SchemaRow } from './schema-rows';

const INDENT_PX = 20;
const CUT = {
  recursion: 'Its fields are those of a field around it.',
  depth: 'It has more fields inside: see the JSON Schema.',
} as const;

/** The fields of `data`, as a table, and the schema itself. */
export function SchemaCard({ schema }: { readonly schema: unknown }) {
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="fields-of-data">
      <Stack gap="sm">
        <Title order={2} id="fields-of-data">
          Fields of data
        </Title>
        {schema === null ? (
          <Text c="dimmed">This type has no schema: its data can be any JSON object.</Text>
        ) : (
          <Fields schema={schema} />
        )}
      </Stack>
    </Card>
  );
}

function Fields({ schema }: { readonly schema: unknown }) {
  const { rows, isComplete } = schemaRows(schema);
  return (
    <>
      {rows.length === 0 && <Text c="dimmed">The schema names no fields.</Text>}
      {rows.length > 0 && (
        <ScrollTable label="Fields" minWidth={640} columns={['Field', 'Type', 'Description']}>
          {rows.map((row) => (
            <FieldRow key={row.path} row={row} />
          ))}
        </ScrollTable>
      )}
      {!isComplete && (
        <Text size="sm" c="dimmed">
          The schema has more fields than are listed.
        </Text>
      )}
      <Folded title="JSON Schema">
        <CodeBlock label="the schema" code={JSON.stringify(schema, null, 2)} />
      </Folded>
    </>
  );
}

function FieldRow({ row }: { readonly row: SchemaRow }) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <NameCell maw="24rem">
        <Group gap="xs" style={{ paddingInlineStart: `${row.depth * INDENT_PX}px` }}>
          <Text span ff="monospace" size="sm" fw={600}>
            {breakable(row.name)}
          </Text>
          {row.isRequired && (
            <Text span size="xs" c="dimmed">
              required
            </Text>
          )}
          {row.isDeprecated && <DeprecatedBadge />}
        </Group>
      </NameCell>
      <Table.Td>{row.type}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {row.description !== undefined && <Text size="sm">{row.description}</Text>}
        {row.rules.length > 0 && (
          <Text size="sm" c="dimmed">
            {row.rules.join('; ')}
          </Text>
        )}
        {row.cut && (
          <Text size="sm" c="dimmed">
            {CUT[row.cut]}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
