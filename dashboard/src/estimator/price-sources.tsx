import { Modal, Table, Text, UnstyledButton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import type { CatalogEntry, PriceSource } from '../../../src/domain/catalog';
import { callApi } from '../api/call-api';
import { FRESH_MS } from './catalog-queries';
import classes from './estimator.module.css';
import { formatUnitPrice } from './money';
import { PROVIDER_NAMES } from './names';

interface Sources {
  of(entry: CatalogEntry): PriceSource | undefined;
  /** Opens the dialog with all about the price of an entry. */
  show(entry: CatalogEntry): void;
}

const SourcesContext = createContext<Sources>({ of: () => undefined, show: () => undefined });

/** Asked for after the catalog, which is complete without it. */
const sourcesQuery = queryOptions({
  queryKey: ['price-sources'],
  staleTime: FRESH_MS,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, PriceSource>> => {
    const { sources } = await callApi<{ sources: PriceSource[] }>('/api/cost-estimator/sources', { signal });
    return new Map(sources.map((source) => [keyOfPrice(source), source]));
  },
});

/** Lets everything below it say where a price comes from; a dialog has the whole answer. */
export function PriceSources({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery(sourcesQuery);
  const [shown, setShown] = useState<CatalogEntry>();
  const [isOpen, setIsOpen] = useState(false);
  const sources = useMemo(
    (): Sources => ({
      of: (entry) => data?.get(keyOfPrice(entry)),
      show: (entry) => {
        setShown(entry);
        setIsOpen(true);
      },
    }),
    [data],
  );
  const source = shown && sources.of(shown);
  return (
    <SourcesContext value={sources}>
      {children}
      <Modal
        opened={isOpen && source !== undefined}
        onClose={() => setIsOpen(false)}
        title={shown && nameOf(shown)}
        size="lg"
      >
        {shown && source && <SourceTable entry={shown} source={source} />}
      </Modal>
    </SourcesContext>
  );
}

/** The date of a price, which opens its source. Nothing while that is unknown. */
export function PriceDate({ entry }: { readonly entry: CatalogEntry }) {
  const sources = useContext(SourcesContext);
  const source = sources.of(entry);
  if (!source) return null;
  const date = dateOf(source);
  return (
    <UnstyledButton
      className={classes['priceDate']}
      aria-label={`${date}, source of ${nameOf(entry)}`}
      onClick={() => sources.show(entry)}
    >
      {date}
    </UnstyledButton>
  );
}

/** On paper nothing can be opened: the sources of all lines, in full. */
export function PrintedSources({ entries }: { readonly entries: readonly CatalogEntry[] }) {
  const sources = useContext(SourcesContext);
  const known = [...new Set(entries)].flatMap((entry) => {
    const source = sources.of(entry);
    return source ? [{ entry, source }] : [];
  });
  if (known.length === 0) return null;
  return (
    <section className={classes['printedSources']} aria-label="Sources of the prices">
      <h2>Sources of the prices</h2>
      <ul>
        {known.map(({ entry, source }) => (
          <li key={keyOfPrice(entry)}>
            {nameOf(entry)}: {formatUnitPrice(entry.priceUsd)} {entry.priceUnit}, {dateOf(source)}
            {source.source !== '' && `, ${source.source}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceTable({ entry, source }: { readonly entry: CatalogEntry; readonly source: PriceSource }) {
  const rows = [
    ['Price', `${formatUnitPrice(entry.priceUsd)} ${entry.priceUnit}, ${entry.region}`],
    ['Date', dateOf(source)],
    ['Source', source.source === '' ? 'not stated' : source.source],
    ...(source.note === '' ? [] : [['How it was derived', source.note]]),
    ...(source.grade === '' ? [] : [['Grade', GRADES[source.grade] ?? source.grade]]),
  ] as const;
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={150} scope="row">
              {name}
            </Table.Th>
            <Table.Td>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const GRADES: Readonly<Record<string, string>> = {
  A: 'A: a line of a named public repository, or an official page',
  B: 'B: a named third party',
  C: 'C: a weaker source',
};

function dateOf({ sourceDate }: PriceSource): string {
  return sourceDate === '' ? 'no date' : sourceDate;
}

function nameOf({ provider, service, instance }: CatalogEntry): string {
  return `${PROVIDER_NAMES[provider]} ${service} ${instance}`;
}

function keyOfPrice({ provider, service, instance }: Pick<CatalogEntry, 'provider' | 'service' | 'instance'>): string {
  return JSON.stringify([provider, service, instance]);
}
