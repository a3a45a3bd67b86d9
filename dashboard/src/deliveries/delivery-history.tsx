import { Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveryWithAttempts } from '../api/answers';
import { LoadMore } from '../elements/load-more';
import { ProblemAlert } from '../elements/problem-alert';
import { AttemptTimeline } from './attempt-timeline';
import { olderAttemptsQuery } from './delivery-queries';

/** The newest attempts of a delivery, how many there are, and the older ones when asked for. */
export function DeliveryHistory({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
  const { attempts: newest, attempts_cursor: cursor, attempts_total: total } = delivery;
  const [isAsked, setIsAsked] = useState(false);
  const older = useInfiniteQuery({ ...olderAttemptsQuery(delivery.id, cursor), enabled: isAsked && cursor !== null });
  const attempts = [...(older.data?.pages.flatMap((page) => page.attempts).toReversed() ?? []), ...newest];
  return (
    <>
      {cursor !== null && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" className="figures">
            {attempts.length < total
              ? `The newest ${attempts.length.toLocaleString('en')} of ${total.toLocaleString('en')} attempts`
              : `All ${total.toLocaleString('en')} attempts`}
          </Text>
          <LoadMore
            hasMore={!isAsked || older.hasNextPage}
            isLoading={older.isFetching}
            onLoad={() => (isAsked ? void older.fetchNextPage() : setIsAsked(true))}
          />
        </Group>
      )}
      <ProblemAlert error={older.error} title="The older attempts could not be loaded" />
      <AttemptTimeline delivery={{ ...delivery, attempts }} />
    </>
  );
}
