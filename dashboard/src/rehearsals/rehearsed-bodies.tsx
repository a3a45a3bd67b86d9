import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { RehearsalResult } from '../api/answers';
import { RawJson } from '../elements/raw-json';

type Body = RehearsalResult['bodies'][number];

interface RehearsedBodiesProps {
  readonly bodies: readonly Body[];
  /** Whether the endpoint does not exist yet. */
  readonly isNew: boolean;
}

/** What the endpoint gets, and what it would get, side by side. */
export function RehearsedBodies({ bodies, isNew }: RehearsedBodiesProps) {
  if (bodies.length === 0) return null;
  return (
    <Stack gap="md">
      <Title order={3} size="h5">
        Bodies
      </Title>
      {bodies.map((body) => (
        <Stack key={body.event_id} gap={4}>
          <Text size="sm" className="figures">
            Event {body.event_id}, {body.type}
            {!isNew && body.before === body.after && ': stays the same'}
          </Text>
          {isNew || body.before === body.after ? (
            <OneBody body={body} when="after" isNew />
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <OneBody body={body} when="before" />
              <OneBody body={body} when="after" />
            </SimpleGrid>
          )}
        </Stack>
      ))}
    </Stack>
  );
}

interface OneBodyProps {
  readonly body: Body;
  readonly when: 'before' | 'after';
  /** Whether there is no other one beside it. */
  readonly isNew?: boolean;
}

function OneBody({ body, when, isNew = false }: OneBodyProps) {
  const text = body[when];
  const title = when === 'before' ? 'Before' : 'After';
  if (text === null) {
    return (
      <div>
        <Text size="sm" fw={600} mb={4}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {when === 'before' ? 'The endpoint does not get this event.' : 'The endpoint would not get this event.'}
        </Text>
      </div>
    );
  }
  const kind = when === 'before' ? body.content_type_before : body.content_type_after;
  return (
    <RawJson
      text={text}
      title={isNew ? `Body (${kind})` : `${title} (${kind})`}
      label={isNew ? 'the body' : `the body ${when}`}
      of={`event ${body.event_id}`}
    />
  );
}
