import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { TriangleAlert, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { MAX_ITEMS } from '../../../src/domain/cost-estimate';
import classes from './estimator.module.css';
import { LineRow } from './line-row';
import { hasRoom, type PricedList } from './shopping-list';
import { STARTERS } from './starters';
import type { ShoppingList } from './use-shopping-list';

interface ListPanelProps {
  readonly list: ShoppingList;
  readonly priced: PricedList;
  readonly say: (news: string) => void;
}

/** The shopping list. */
export function ListPanel({ list, priced, say }: ListPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const remove = (id: number): void => {
    list.change({ type: 'remove', id });
    // The button that had the focus is gone.
    heading.current?.focus();
    say('Removed.');
  };
  const clear = (): void => {
    list.change({ type: 'clear' });
    heading.current?.focus();
    say('The list is empty. It can be undone.');
  };
  const undo = (): void => {
    list.change({ type: 'undo' });
    heading.current?.focus();
    say('It is back.');
  };
  return (
    <section className={classes['card']} aria-labelledby="your-list">
      <div className={classes['sectionHead']}>
        <Title order={2} id="your-list" ref={heading} tabIndex={-1}>
          Your list
        </Title>
        {list.lines.length > 0 && (
          <Button size="xs" variant="default" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      {list.before && <UndoBar list={list} onUndo={undo} />}
      <Notices list={list} priced={priced} />
      {priced.lines.length === 0 ? (
        <EmptyList onStart={(inputs) => list.change({ type: 'add', inputs })} />
      ) : (
        <ul className={classes['lines']}>
          {priced.lines.map((pricedLine) => (
            <LineRow
              key={pricedLine.line.id}
              pricedLine={pricedLine}
              onType={(typed) => list.change({ type: 'type', id: pricedLine.line.id, ...typed })}
              onRemove={() => remove(pricedLine.line.id)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** What was taken from the list, until the next change. */
function UndoBar({ list, onUndo }: { readonly list: ShoppingList; readonly onUndo: () => void }) {
  const lines = (list.before?.lines.length ?? 0) - list.lines.length;
  const discounts = (list.before?.discounts.length ?? 0) - list.discounts.length;
  const gone = [
    ...(lines > 0 ? [counted(lines, 'line')] : []),
    ...(discounts > 0 ? [counted(discounts, 'discount')] : []),
  ].join(' and ');
  return (
    <div className={classes['undo']}>
      <Text size="sm">Removed {gone}.</Text>
      <Button size="xs" variant="light" leftSection={<Undo2 size={14} aria-hidden />} onClick={onUndo}>
        Undo
      </Button>
    </div>
  );
}

function Notices({ list, priced }: Pick<ListPanelProps, 'list' | 'priced'>) {
  const texts = [
    ...(list.leftOut > 0
      ? [`${counted(list.leftOut, 'line')} of the link could not be read or is not in this catalog, and was left out.`]
      : []),
    ...(hasRoom(list.lines) ? [] : [`The list is full: an estimate has at most ${MAX_ITEMS} lines.`]),
    ...(priced.problem === undefined ? [] : [priced.problem]),
  ];
  return texts.map((text) => (
    <Alert key={text} role="alert" color="yellow" radius={0} icon={<TriangleAlert size={18} aria-hidden />}>
      {text}
    </Alert>
  ));
}

function EmptyList({ onStart }: { readonly onStart: (inputs: (typeof STARTERS)[number]['lines']) => void }) {
  return (
    <Stack className={classes['empty']} align="center" gap="md">
      <Text c="dimmed" maw={420}>
        Add services from the catalog, or start with one of these examples:
      </Text>
      <Group justify="center" gap="xs">
        {STARTERS.map(({ label, lines }) => (
          <Button key={label} variant="light" onClick={() => onStart(lines)}>
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

function counted(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}
