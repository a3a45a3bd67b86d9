import { Table, Title } from '@mantine/core';
import { useMemo } from 'react';
import { CATEGORIES, PROVIDERS, type Category, type Provider } from '../../../src/domain/catalog';
import { sumOf } from '../../../src/domain/cost-estimate';
import type { Discounts } from '../../../src/domain/discounts';
import { ProviderBars } from '../charts/provider-bars';
import classes from './estimator.module.css';
import { formatRoughUsd, formatUsd } from './money';
import { CATEGORY_NAMES, PROVIDER_COLORS, PROVIDER_NAMES } from './names';
import type { PricedLine } from './shopping-list';

interface BreakdownRow extends Record<Provider, number> {
  readonly category: Category;
  readonly sum: number;
}

interface BreakdownSectionProps {
  readonly lines: readonly PricedLine[];
  readonly discounts: Discounts;
}

/** Cost by category, by category and provider: as bars, and as a table that says the same. */
export function BreakdownSection({ lines, discounts }: BreakdownSectionProps) {
  const rows = useMemo(() => breakdownOf(lines, discounts), [lines, discounts]);
  const providers = PROVIDERS.filter((provider) => rows.some((row) => row[provider] > 0));
  return (
    <section className={classes['card']} aria-labelledby="breakdown">
      <div className={classes['sectionHead']}>
        <Title order={2} id="breakdown">
          Cost by category
        </Title>
      </div>
      <div className={classes['sectionBody']}>
        <ProviderBars
          label="Cost by category"
          rows={rows.map((row) => {
            const name = CATEGORY_NAMES[row.category];
            return { id: row.category, name, title: name, values: { aws: row.aws, azure: row.azure, gcp: row.gcp } };
          })}
          parts={providers.map((name) => ({ name, label: PROVIDER_NAMES[name], color: PROVIDER_COLORS[name] }))}
          format={formatUsd}
          formatAxis={formatRoughUsd}
        />
        <BreakdownTable rows={rows} providers={providers} />
      </div>
    </section>
  );
}

function BreakdownTable({
  rows,
  providers,
}: {
  readonly rows: readonly BreakdownRow[];
  readonly providers: Provider[];
}) {
  return (
    <Table.ScrollContainer minWidth={0} mt="md" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className="figures" captionSide="bottom" horizontalSpacing={6} fz="sm">
        <Table.Caption ta="start" fz="xs" px={0}>
          US dollars a month by category and provider. Each figure is rounded by itself.
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Category</Table.Th>
            {providers.map((provider) => (
              <Table.Th key={provider} ta="end">
                {PROVIDER_NAMES[provider]}
              </Table.Th>
            ))}
            {providers.length > 1 && <Table.Th ta="end">Total</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.category}>
              <Table.Th scope="row" fw={500}>
                {CATEGORY_NAMES[row.category]}
              </Table.Th>
              {providers.map((provider) => (
                <Table.Td key={provider} ta="end">
                  {row[provider] === 0 ? '–' : formatUsd(row[provider])}
                </Table.Td>
              ))}
              {providers.length > 1 && (
                <Table.Td ta="end" fw={600}>
                  {formatUsd(row.sum)}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The most expensive category first. */
function breakdownOf(lines: readonly PricedLine[], discounts: Discounts): readonly BreakdownRow[] {
  const counted = lines.filter(({ monthlyUsd }) => monthlyUsd !== undefined);
  return CATEGORIES.flatMap((category): BreakdownRow[] => {
    const ofCategory = counted.filter(({ priced }) => priced.entry.category === category);
    if (ofCategory.length === 0) return [];
    const costOf = (provider?: Provider): number =>
      sumOf(
        ofCategory.filter(({ line }) => provider === undefined || line.provider === provider),
        discounts,
      );
    return [{ category, aws: costOf('aws'), azure: costOf('azure'), gcp: costOf('gcp'), sum: costOf() }];
  }).sort((a, b) => b.sum - a.sum);
}
