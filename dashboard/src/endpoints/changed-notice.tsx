import { Alert, Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { UsersRound } from 'lucide-react';
import { breakable } from '../elements/breakable';
import { showInForm } from '../elements/problem-alert';
import { Ago } from '../elements/time';
import type { ChangedMeanwhile } from './change-unless-changed';
import { draftOf, type EndpointDraft } from './endpoint-draft';
import { ENDPOINT_FIELDS, fieldInWords, type EndpointField } from './endpoint-fields';

interface ChangedNoticeProps {
  readonly changed: ChangedMeanwhile;
  readonly draft: EndpointDraft;
  /** The fields that both changed, and in which they still differ. */
  readonly disputed: readonly EndpointField[];
  readonly onTake: (field: EndpointField) => void;
}

/** Says who changed the endpoint while the form was open, and what both changed. */
export function ChangedNotice({ changed: { endpoint, entries }, draft, disputed, onTake }: ChangedNoticeProps) {
  const theirs = draftOf(endpoint);
  return (
    <Alert
      key={endpoint.updated_at}
      ref={showInForm}
      color="yellow"
      icon={<UsersRound size={18} aria-hidden />}
      title="The endpoint has changed since you opened this form"
      role="alert"
    >
      <Stack gap="sm">
        {entries.length > 0 && (
          <List size="sm">
            {entries.map(({ id, at, actor, changes }) => (
              <List.Item key={id}>
                <strong>{breakable(actor.name)}</strong> changed {changes.map(({ field }) => labelOf(field)).join(', ')}{' '}
                <Ago at={at} />.
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm">
          {disputed.length === 0
            ? 'Nothing is saved yet. The form now has these changes and yours. Save stores both.'
            : 'Nothing is saved yet. You both changed the fields below. Save stores your values, and keeps the other changes.'}
        </Text>
        {disputed.map((field) => (
          <Disputed key={field.name} field={field} theirs={theirs} yours={draft} onTake={() => onTake(field)} />
        ))}
      </Stack>
    </Alert>
  );
}

interface DisputedProps {
  readonly field: EndpointField;
  readonly theirs: EndpointDraft;
  readonly yours: EndpointDraft;
  readonly onTake: () => void;
}

function Disputed({ field, theirs, yours, onTake }: DisputedProps) {
  const values = [
    { whose: 'Now stored', value: fieldInWords(field, theirs) },
    { whose: 'Yours', value: fieldInWords(field, yours) },
  ];
  return (
    <Stack gap={4} role="group" aria-label={`${field.label}: both changed it`}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          {field.label}
        </Text>
        <Button size="xs" variant="default" onClick={onTake} aria-label={`Use stored ${field.label}`}>
          Use stored
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={4}>
        {values.map(({ whose, value }) => (
          <div key={whose}>
            <Text size="xs" c="dimmed">
              {whose}
            </Text>
            <Text size="sm" lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function labelOf(name: string): string {
  return ENDPOINT_FIELDS.find((field) => field.name === name)?.label ?? name.replaceAll(/[._]/g, ' ');
}
