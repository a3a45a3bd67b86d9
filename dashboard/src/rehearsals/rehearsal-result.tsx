import { Alert, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RehearsalResult as Result } from '../api/answers';
import { ScrollTable } from '../elements/data-table';
import { Figure } from '../elements/figure';
import { exactTime } from '../elements/time';
import { breakable } from '../elements/breakable';
import { RehearsedBodies } from './rehearsed-bodies';

interface RehearsalResultProps {
  readonly result: Result;
  /** Whether the endpoint does not exist yet. */
  readonly isNew: boolean;
}

/** Counts before and after, by type; the busiest second; bodies side by side. */
export function RehearsalResult({ result, isNew }: RehearsalResultProps) {
  const { matches, peak, bodies } = result;
  if (!matches) return null;
  if (result.events === 0) {
    return (
      <Text size="sm" role="status">
        There are no events to rehearse with: none is stored.
      </Text>
    );
  }
  return (
    <Stack>
      <Text size="sm" role="status" className="figures">
        {readText(result)}
      </Text>
      <Warnings result={result} />
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {!isNew && <Figure label="Events before" value={inWords(matches.before)} />}
        <Figure label={isNew ? 'Events it would get' : 'Events after'} value={inWords(matches.after)} />
        {peak && !isNew && <Figure label="Busiest second before" value={inWords(peak.before)} />}
        {peak && (
          <Figure
            label={isNew ? 'In the busiest second' : 'Busiest second after'}
            value={inWords(peak.after)}
            note={exactTime(peak.at)}
          />
        )}
      </SimpleGrid>
      <TypeTable matches={matches} isNew={isNew} />
      <RehearsedBodies bodies={bodies} isNew={isNew} />
    </Stack>
  );
}

function Warnings({ result: { matches, peak, complete } }: Pick<RehearsalResultProps, 'result'>) {
  const isLess = matches !== null && matches.after < matches.before;
  const rate = peak?.max_per_second ?? null;
  const isTooFast = rate !== null && peak !== null && peak.after > rate;
  return (
    <>
      {isLess && (
        <Warning title="Fewer events match than before">
          Of these events, the endpoint would get {inWords(matches.after)} in place of {inWords(matches.before)}.
        </Warning>
      )}
      {isTooFast && (
        <Warning title="The endpoint's rate is lower than its busiest second">
          {inWords(peak.after)} events came in one second, and the endpoint gets at most {rate} a second. The rest
          waits.
        </Warning>
      )}
      {!complete && (
        <Warning title="Not all events were read">
          The 30 seconds for a rehearsal were over. The figures are those of the events that were read.
        </Warning>
      )}
    </>
  );
}

function Warning({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />} title={title} className="figures">
      {children}
    </Alert>
  );
}

interface TypeTableProps {
  readonly matches: NonNullable<Result['matches']>;
  readonly isNew: boolean;
}

function TypeTable({ matches: { types }, isNew }: TypeTableProps) {
  const shown = types.filter(({ before, after }) => before > 0 || after > 0);
  if (shown.length === 0) return null;
  const counts = isNew ? ['Events'] : ['Before', 'After', 'Change'];
  return (
    <ScrollTable
      label="Events by type"
      minWidth={360}
      columns={['Event type', ...counts.map((title) => ({ title, align: 'right' as const }))]}
    >
      {shown.map(({ type, before, after }) => (
        <Table.Tr key={type}>
          <Table.Td>{breakable(type)}</Table.Td>
          {!isNew && <Table.Td ta="right">{inWords(before)}</Table.Td>}
          <Table.Td ta="right">{inWords(after)}</Table.Td>
          {!isNew && <Table.Td ta="right">{differenceOf(after - before)}</Table.Td>}
        </Table.Tr>
      ))}
    </ScrollTable>
  );
}

function readText({ events, window }: Result): string {
  const count = `${inWords(events)} ${events === 1 ? 'event' : 'events'}`;
  return window === null ? count : `Tried on the newest ${count}, accepted since ${exactTime(window.after)}.`;
}

function differenceOf(difference: number): string {
  if (difference === 0) return '0';
  return difference > 0 ? `+${inWords(difference)}` : `−${inWords(-difference)}`;
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}
