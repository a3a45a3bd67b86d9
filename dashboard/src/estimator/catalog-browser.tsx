import { ActionIcon, Badge, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { CatalogEntry } from '../../../src/domain/catalog';
import { CatalogControls, type CatalogView } from './catalog-controls';
import { filterCatalog, NO_FILTER } from './catalog-filter';
import { sortCatalog, type CatalogGroup } from './catalog-sort';
import classes from './estimator.module.css';
import { formatUnitPrice } from './money';
import { CATEGORY_NAMES, PROVIDER_NAMES } from './names';
import { PriceDate } from './price-sources';
import { ProviderDot } from './provider-dot';
import type { LineInput } from './shopping-list';

interface CatalogBrowserProps {
  readonly entries: readonly CatalogEntry[];
  /** The list, to show what is on it already. */
  readonly lines: readonly LineInput[];
  readonly onAdd: (entry: CatalogEntry) => void;
  /** False when the list is full. */
  readonly canAdd: boolean;
}

/** An operator's own catalog can be long; no user scrolls through more rows than this. */
const MAX_SHOWN = 400;
const AS_IT_IS: CatalogView = { filter: NO_FILTER, sort: 'service', isDescending: false };

/** The catalog: narrowed down and sorted, with a button at each entry that puts it on the list. */
export function CatalogBrowser({ entries, ...list }: CatalogBrowserProps) {
  const [view, setView] = useState(AS_IT_IS);
  const deferred = useDeferredValue(view);
  const found = useMemo(() => filterCatalog(entries, deferred.filter), [entries, deferred.filter]);
  const groups = useMemo(() => sortCatalog(found.entries, deferred.sort, deferred.isDescending), [found, deferred]);
  const count = groups.reduce((sum, group) => sum + group.entries.length, 0);
  return (
    <>
      <div className={classes['catalogHead']}>
        <CatalogControls view={view} onChange={setView} />
        <Text size="xs" c="dimmed" mt="sm" role="status">
          {count === entries.length ? `${count} prices` : `${count} of ${entries.length} prices`}
          {found.otherNames > 0 && ', also under other names'}
          {count < found.entries.length && ', only machines of a known size'}
        </Text>
      </div>
      {/* Scrolled by keyboard too: it holds buttons. */}
      <div className={classes['catalogBody']}>
        {firstOf(groups, MAX_SHOWN).map((group) => (
          <Group key={group.heading} group={group} {...list} />
        ))}
        {count > MAX_SHOWN && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            Only the first {MAX_SHOWN} are shown. Search to find others.
          </Text>
        )}
        {count === 0 && (
          <Text c="dimmed" size="sm" ta="center" py="xl">
            No price matches all of these words.
          </Text>
        )}
      </div>
    </>
  );
}

/** The groups up to so many entries. */
function firstOf(groups: readonly CatalogGroup[], most: number): readonly CatalogGroup[] {
  let left = most;
  return groups.flatMap((group) => {
    const entries = group.entries.slice(0, left);
    left -= entries.length;
    return entries.length === 0 ? [] : [{ ...group, entries }];
  });
}

interface GroupProps extends Omit<CatalogBrowserProps, 'entries'> {
  readonly group: CatalogGroup;
}

function Group({ group: { heading, service, entries }, ...list }: GroupProps) {
  return (
    <section>
      <h3 className={classes['service']}>
        {service && <ProviderDot provider={service.provider} />}
        {heading}
        {service && <span className={classes['small']}>{CATEGORY_NAMES[service.category]}</span>}
      </h3>
      <ul className={classes['entries']}>
        {entries.map((entry) => (
          <Entry
            key={`${entry.provider}/${entry.service}/${entry.instance}`}
            entry={entry}
            hasService={service === undefined}
            {...list}
          />
        ))}
      </ul>
    </section>
  );
}

interface EntryProps extends Omit<GroupProps, 'group'> {
  readonly entry: CatalogEntry;
  /** Whether it names its provider and service, because the heading does not. */
  readonly hasService: boolean;
}

function Entry({ entry, hasService, lines, onAdd, canAdd }: EntryProps) {
  const { provider, service, instance, specs, priceUnit, priceUsd, region } = entry;
  const times = lines.filter(
    (line) => line.provider === provider && line.service === service && line.instance === instance,
  ).length;
  return (
    <li className={classes['entry']}>
      <div>
        <span className={classes['entryName']}>{instance}</span>
        {times > 0 && (
          <Badge size="xs" variant="light" ms="xs">
            {times === 1 ? 'on your list' : `${times} times on your list`}
          </Badge>
        )}
        {hasService && (
          <div className={classes['entryService']}>
            <ProviderDot provider={provider} />
            {PROVIDER_NAMES[provider]} {service}
          </div>
        )}
        <div className={classes['small']}>{specs}</div>
        <div className={`${classes['small']} figures`}>
          <Text component="span" inherit fw={600} c="var(--mantine-color-text)">
            {formatUnitPrice(priceUsd)}
          </Text>{' '}
          {priceUnit} · {region} <PriceDate entry={entry} />
        </div>
      </div>
      <ActionIcon
        variant="light"
        size="lg"
        aria-label={`Add ${PROVIDER_NAMES[provider]} ${service} ${instance}`}
        disabled={!canAdd}
        onClick={() => onAdd(entry)}
      >
        <Plus size={18} aria-hidden />
      </ActionIcon>
    </li>
  );
}
