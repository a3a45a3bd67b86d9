import { Button, Group, Text } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { ArrowUp } from 'lucide-react';
import type { ShownList } from './live-list';
import type { News } from './new-rows-of';

interface NewRowsProps {
  readonly list: ShownList<unknown>;
  /** What its rows are: `event`, and `events` for several. */
  readonly noun: readonly [one: string, many: string];
}

/** A busy list must not talk all the time. */
const SPEAK_MS = 10_000;

/**
 * Says how many rows are new, and shows them on a click. It always takes the same place, and the button stays
 * when there is nothing to show, so that no row moves and the focus has a place.
 */
export function NewRows({ list, noun }: NewRowsProps) {
  const { news, pages } = list;
  const text = textOf(news, noun);
  const spoken = useThrottledValue(text ?? '', SPEAK_MS);
  const isNothing = text === undefined && pages < 2;
  return (
    <Group gap="sm" mb="sm">
      <Button
        size="compact-sm"
        variant={isNothing ? 'default' : 'filled'}
        leftSection={<ArrowUp size={14} aria-hidden />}
        aria-disabled={isNothing}
        {...(isNothing ? { 'data-disabled': true } : { onClick: list.showNewest })}
      >
        {text === undefined ? (pages < 2 ? `No new ${noun[1]}` : 'Show the newest') : labelOf(news, text)}
      </Button>
      {pages > 1 && (
        <Text size="sm" c="dimmed">
          Older rows do not update.
        </Text>
      )}
      <span role="status" aria-label={`New ${noun[1]}`} className="visually-hidden">
        {spoken}
      </span>
    </Group>
  );
}

/** `12 new events`; undefined if nothing is new. */
function textOf({ added, isMore, gone }: News, [one, many]: NewRowsProps['noun']): string | undefined {
  if (added > 0) return `${added}${isMore ? '+' : ''} new ${added === 1 ? one : many}`;
  if (gone > 0) return gone === 1 ? `1 ${one} that no longer matches` : `${gone} ${many} that no longer match`;
  return undefined;
}

function labelOf({ added }: News, text: string): string {
  return added > 0 ? `Show ${text}` : `Hide ${text}`;
}
