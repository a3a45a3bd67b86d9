import { Button, Group, Text } from '@mantine/core';
import { useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';

interface PausedListProps {
  /** The key of the list's query. */
  readonly queryKey: QueryKey;
  /** How many pages the list shows. */
  readonly pages: number;
}

/** Says that a list with older pages does not update, and leads back to its newest page, which does. */
export function PausedList({ queryKey, pages }: PausedListProps) {
  const client = useQueryClient();
  if (pages < 2) return null;
  const showNewest = (): void => {
    client.setQueryData<InfiniteData<unknown>>(
      queryKey,
      (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
    );
    void client.invalidateQueries({ queryKey, exact: true });
  };
  return (
    <Group mb="sm" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        Live updates are paused while older rows are shown.
      </Text>
      <Button size="compact-sm" variant="default" onClick={showNewest}>
        Show the newest
      </Button>
    </Group>
  );
}
