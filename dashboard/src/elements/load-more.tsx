import { Button, Group, Loader } from '@mantine/core';

interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}

/** The button at the end of a list that has more rows. */
export function LoadMore({ hasMore, isLoading, onLoad }: LoadMoreProps) {
  if (!hasMore) return null;
  return (
    <Group justify="center" mt="md">
      <Button variant="default" onClick={onLoad} disabled={isLoading} leftSection={isLoading && <Loader size="xs" />}>
        Show older
      </Button>
    </Group>
  );
}
