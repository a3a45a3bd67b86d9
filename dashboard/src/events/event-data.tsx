import { Group, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { EventWithDeliveries } from '../api/answers';
import { RawJson } from '../elements/raw-json';
import { exactTime } from '../elements/time';
import { useMay } from '../session/use-may';

/** Loaded for those who may use it: the first load of the page has a bound. */
const EraseDataButton = lazy(async () => ({
  default: (await import('../erasures/erase-data-button')).EraseDataButton,
}));

interface EventDataProps {
  readonly event: Pick<EventWithDeliveries, 'id' | 'data_erased_at'>;
  /** Its data, as they were sent. */
  readonly text: string;
}

/** The data of an event, and the way to erase them; or that they were erased. */
export function EventData({ event, text }: EventDataProps) {
  const canErase = useMay('data:erase');
  const { data_erased_at: erasedAt } = event;
  if (erasedAt !== undefined) {
    return (
      <>
        <Title order={2} size="h4">
          Data erased at <time dateTime={erasedAt}>{exactTime(erasedAt)}</time>
        </Title>
        <Text size="sm" mt="xs">
          The data of this event and what its receivers answered were erased. Its deliveries and attempts stay, and it
          is not sent again.
        </Text>
      </>
    );
  }
  return (
    <>
      <RawJson text={text} title="Data, as sent" label="the data" />
      {canErase && (
        <Group mt="sm" justify="flex-end">
          <Suspense>
            <EraseDataButton eventId={event.id} />
          </Suspense>
        </Group>
      )}
    </>
  );
}
