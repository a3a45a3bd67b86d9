import { ActionIcon, Group, NativeSelect, SegmentedControl, Stack, TextInput, Title } from '@mantine/core';
import { ArrowDownWideNarrow, ArrowUpNarrowWide, Search } from 'lucide-react';
import { CATEGORIES, PROVIDERS } from '../../../src/domain/catalog';
import type { CatalogFilter } from './catalog-filter';
import type { CatalogSort } from './catalog-sort';
import { CATEGORY_NAMES, PROVIDER_NAMES } from './names';

/** What the catalog shows, and in which order. */
export interface CatalogView {
  readonly filter: CatalogFilter;
  readonly sort: CatalogSort;
  readonly isDescending: boolean;
}

interface CatalogControlsProps {
  readonly view: CatalogView;
  readonly onChange: (view: CatalogView) => void;
}

/** The search, the filters and the order of the catalog. */
export function CatalogControls({ view, onChange }: CatalogControlsProps) {
  const { filter } = view;
  const narrow = (part: Partial<CatalogFilter>): void => onChange({ ...view, filter: { ...filter, ...part } });
  return (
    <Stack gap="sm">
      <Title order={2}>Catalog</Title>
      <TextInput
        type="search"
        label="Search"
        placeholder="postgres, 8 GiB, egress …"
        leftSection={<Search size={16} aria-hidden />}
        value={filter.words}
        onChange={({ currentTarget }) => narrow({ words: currentTarget.value })}
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Provider"
        value={filter.provider}
        onChange={(provider) => narrow({ provider })}
        data={[
          { value: 'all', label: 'All' },
          ...PROVIDERS.map((provider) => ({ value: provider, label: PROVIDER_NAMES[provider] })),
        ]}
      />
      <Group gap="sm" grow align="flex-end" preventGrowOverflow={false} wrap="nowrap">
        <NativeSelect
          label="Category"
          value={filter.category}
          onChange={({ currentTarget }) => narrow({ category: currentTarget.value as CatalogFilter['category'] })}
          data={[
            { value: 'all', label: 'All categories' },
            ...CATEGORIES.map((category) => ({ value: category, label: CATEGORY_NAMES[category] })),
          ]}
        />
        <SortControl view={view} onChange={onChange} />
      </Group>
    </Stack>
  );
}

function SortControl({ view, onChange }: CatalogControlsProps) {
  const { sort, isDescending } = view;
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <NativeSelect
        flex={1}
        label="Sort by"
        value={sort}
        onChange={({ currentTarget }) => onChange({ ...view, sort: currentTarget.value as CatalogSort })}
        data={[
          { value: 'service', label: 'Service' },
          { value: 'vcpus', label: 'vCPU' },
          { value: 'memory', label: 'Memory' },
          { value: 'price', label: 'Price' },
        ]}
      />
      {sort !== 'service' && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Largest first"
          aria-pressed={isDescending}
          onClick={() => onChange({ ...view, isDescending: !isDescending })}
        >
          {isDescending ? <ArrowDownWideNarrow size={17} aria-hidden /> : <ArrowUpNarrowWide size={17} aria-hidden />}
        </ActionIcon>
      )}
    </Group>
  );
}
