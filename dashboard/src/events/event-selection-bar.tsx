import { Button, Group, Text } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { describeBulk } from '../api/in-turn';
import type { ListFilter } from '../elements/list-filter';
import { SelectAll } from '../elements/selection';
import { ReplayButton } from '../replays/replay-button';
import { draftOfEvents } from '../replays/replay-draft';
import { useReplayEvents } from './event-queries';

interface EventSelectionBarProps {
  /** That of the list. */
  readonly filter: ListFilter;
  /** Ids of the events that the list shows. */
  readonly ids: readonly string[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

/** What can be done with several events at once: those that are selected, or all that match the filter. */
export function EventSelectionBar({ filter, ids, selected, onSelect }: EventSelectionBarProps) {
  const replay = useReplayEvents();
  const chosen = ids.filter((id) => selected.has(id));
  const draft = draftOfEvents(filter);
  return (
    <Group mb="sm" gap="sm" role="group" aria-label="Selected events">
      {ids.length > 0 && <SelectAll ids={ids} selected={selected} onSelect={onSelect} />}
      {chosen.length > 0 && (
        <Button
          size="compact-sm"
          leftSection={<RotateCcw size={14} aria-hidden />}
          loading={replay.isPending}
          onClick={() => replay.mutate(chosen, { onSuccess: () => onSelect(new Set()) })}
        >
          Replay {chosen.length}
        </Button>
      )}
      {draft && (
        <ReplayButton size="compact-sm" variant="subtle" draft={() => draft}>
          Replay all that match the filter
        </ReplayButton>
      )}
      <Text size="sm" role="status">
        {replay.data && !replay.isPending && describeBulk(replay.data, 'sent again')}
      </Text>
    </Group>
  );
}
