import { Button, Group, Loader, Text } from '@mantine/core';
import { LoadMore } from '../elements/load-more';
import { dayAndTime } from '../elements/written-time';
import type { ShownList } from './live-list';

/**
 * The end of a list that may have more rows: the button for them, or how far the list has searched by itself and the button
 * that stops it.
 */
export function OlderRowsControl({ list }: { readonly list: ShownList<unknown> }) {
  const { search, searchedBackTo } = list;
  if (search === 'none') {
    return <LoadMore hasMore={list.hasOlder} isLoading={list.isLoadingOlder} onLoad={list.showOlder} />;
  }
  const isOn = search === 'on';
  const time = searchedBackTo === undefined ? undefined : dayAndTime(new Date(searchedBackTo).toISOString());
  return (
    <Group justify="center" gap="sm" mt="md">
      {isOn && <Loader size="xs" aria-hidden />}
      <Text size="sm" className="figures">
        {isOn ? `Searched back to ${time ?? 'older rows'}…` : `The search stopped at ${time ?? 'older rows'}.`}
      </Text>
      {/* One button, which keeps the focus. */}
      <Button size="compact-sm" variant="default" onClick={isOn ? list.stopSearch : list.showOlder}>
        {isOn ? 'Stop' : 'Search on'}
      </Button>
      {/* The times would be read out all the while. */}
      <span role="status" className="visually-hidden">
        {isOn ? 'Searching older rows' : 'The search stopped'}
      </span>
    </Group>
  );
}
