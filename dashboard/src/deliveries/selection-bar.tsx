import { Button, Group, Text } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { isFinished } from '../../../src/domain/delivery-state';
import type { Delivery } from '../api/answers';
import { describeBulk } from '../api/in-turn';
import { ConfirmButton } from '../elements/confirm-button';
import type { ListFilter } from '../elements/list-filter';
import { SelectAll } from '../elements/selection';
import { ReplayButton } from '../replays/replay-button';
import { canReplayList, draftOfList } from '../replays/replay-draft';
import { useBulkDeliveryVerb } from './delivery-queries';

const DID = { replay: 'sent again', cancel: 'cancelled', retry: 'retried' } as const;

interface SelectionBarProps {
  /** That of the list. */
  readonly filter: ListFilter;
  /** The deliveries that the list shows. */
  readonly deliveries: readonly Delivery[];
  /** Whether there may be others: a replay of all does not need them on the page. */
  readonly hasOlder: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

/** What can be done with several deliveries at once: those that are selected, or all that match the filter. */
export function SelectionBar({ filter, deliveries, hasOlder, selected, onSelect }: SelectionBarProps) {
  const act = useBulkDeliveryVerb();
  const chosen = deliveries.filter(({ id }) => selected.has(id));
  const finished = chosen.filter(({ state }) => isFinished(state));
  const open = chosen.filter(({ state }) => !isFinished(state));
  const run = async (verb: 'replay' | 'cancel', targets: readonly Delivery[]): Promise<void> => {
    await act.mutateAsync({ verb, ids: targets.map(({ id }) => id) });
    onSelect(new Set());
  };
  return (
    <Group mb="sm" gap="sm" role="group" aria-label="Selected deliveries">
      {deliveries.length > 0 && (
        <SelectAll ids={deliveries.map(({ id }) => id)} selected={selected} onSelect={onSelect} />
      )}
      {finished.length > 0 && (
        <Button
          size="compact-sm"
          leftSection={<RotateCcw size={14} aria-hidden />}
          loading={act.isPending && act.variables.verb === 'replay'}
          onClick={() => void run('replay', finished)}
        >
          Replay {finished.length}
        </Button>
      )}
      {open.length > 0 && (
        <ConfirmButton
          size="compact-sm"
          variant="default"
          question={`Cancel ${open.length} ${open.length === 1 ? 'delivery' : 'deliveries'}?`}
          consequence="No further attempt is made. A request in progress may still succeed. You can replay them later."
          verb="Cancel them"
          onConfirm={() => run('cancel', open)}
          isPending={act.isPending && act.variables.verb === 'cancel'}
          error={null}
        >
          Cancel {open.length}
        </ConfirmButton>
      )}
      {(deliveries.length > 0 || hasOlder) && canReplayList(filter) && (
        <ReplayButton size="compact-sm" variant="subtle" draft={() => draftOfList(filter)}>
          Replay all that match the filter
        </ReplayButton>
      )}
      <Text size="sm" role="status">
        {act.data && !act.isPending && describeBulk(act.data, DID[act.variables.verb])}
      </Text>
    </Group>
  );
}
