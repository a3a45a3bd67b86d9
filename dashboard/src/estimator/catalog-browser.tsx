import { ActionIcon, Badge, NativeSelect, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { Plus, Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { CATEGORIES, PROVIDERS, type CatalogEntry } from '../../../src/domain/catalog';
import { filterCatalog, groupByService, NO_FILTER, type CatalogFilter } from './catalog-filter';
import classes from './estimator.module.css';
import { formatUnitPrice } from './money';
import { CATEGORY_NAMES, PROVIDER_NAMES } from './names';
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

/** The catalog: narrowed down by words, provider and category, and a button at each entry that puts it on the list. */
export function CatalogBrowser({ entries, ...list }: CatalogBrowserProps) {
  const [filter, setFilter] = useState(NO_FILTER);
  const deferred = useDeferredValue(filter);
  const found = useMemo(() => filterCatalog(entries, deferred), [entries, deferred]);
  const services = useMemo(() => groupByService(found.slice(0, MAX_SHOWN)), [found]);
  return (
    <>
      <div className={classes['catalogHead']}>
        <CatalogFilters filter={filter} onChange={setFilter} />
        <Text size="xs" c="dimmed" mt="sm" role="status">
          {found.length === entries.length ? `${entries.length} prices` : `${found.length} of ${entries.length} prices`}
        </Text>
      </div>
      {/* Scrolled by keyboard too: it holds buttons. */}
      <div className={classes['catalogBody']}>
        {services.map((group) => (
          <Service key={`${group[0].provider}/${group[0].service}`} group={group} {...list} />
        ))}
        {found.length > MAX_SHOWN && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            Only the first {MAX_SHOWN} are shown. Search to find others.
          </Text>
        )}
        {services.length === 0 && (
          <Text c="dimmed" size="sm" ta="center" py="xl">
            No price matches all of these words.
          </Text>
        )}
      </div>
    </>
  );
}

interface CatalogFiltersProps {
  readonly filter: CatalogFilter;
  readonly onChange: (filter: CatalogFilter) => void;
}

function CatalogFilters({ filter, onChange }: CatalogFiltersProps) {
  return (
    <Stack gap="sm">
      <Title order={2}>Catalog</Title>
      <TextInput
        type="search"
        label="Search"
        placeholder="postgres, 8 GiB, egress …"
        leftSection={<Search size={16} aria-hidden />}
        value={filter.words}
        onChange={({ currentTarget }) => onChange({ ...filter, words: currentTarget.value })}
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Provider"
        value={filter.provider}
        onChange={(provider) => onChange({ ...filter, provider })}
        data={[
          { value: 'all', label: 'All' },
          ...PROVIDERS.map((provider) => ({ value: provider, label: PROVIDER_NAMES[provider] })),
        ]}
      />
      <NativeSelect
        label="Category"
        value={filter.category}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, category: currentTarget.value as CatalogFilter['category'] })
        }
        data={[
          { value: 'all', label: 'All categories' },
          ...CATEGORIES.map((category) => ({ value: category, label: CATEGORY_NAMES[category] })),
        ]}
      />
    </Stack>
  );
}

interface ServiceProps extends Omit<CatalogBrowserProps, 'entries'> {
  readonly group: readonly [CatalogEntry, ...CatalogEntry[]];
}

function Service({ group, ...list }: ServiceProps) {
  const [{ provider, service, category }] = group;
  return (
    <section>
      <h3 className={classes['service']}>
        <ProviderDot provider={provider} />
        {PROVIDER_NAMES[provider]} {service}
        <span className={classes['small']}>{CATEGORY_NAMES[category]}</span>
      </h3>
      <ul className={classes['entries']}>
        {group.map((entry) => (
          <Entry key={entry.instance} entry={entry} {...list} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ entry, lines, onAdd, canAdd }: { readonly entry: CatalogEntry } & Omit<ServiceProps, 'group'>) {
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
        <div className={classes['small']}>{specs}</div>
        <div className={`${classes['small']} figures`}>
          <Text component="span" inherit fw={600} c="var(--mantine-color-text)">
            {formatUnitPrice(priceUsd)}
          </Text>{' '}
          {priceUnit} · {region}
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
