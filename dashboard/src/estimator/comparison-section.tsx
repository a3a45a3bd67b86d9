import { Badge, NativeSelect, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { PROVIDERS, type CatalogIndex } from '../../../src/domain/catalog';
import {
  choiceOf,
  compareProviders,
  keyOfEntry,
  NOTHING,
  type Choices,
  type ComparedLine,
  type Comparison,
  type Counterpart,
} from './comparison';
import classes from './estimator.module.css';
import { formatUsd } from './money';
import { PROVIDER_NAMES } from './names';
import { ProviderDot } from './provider-dot';
import type { PricedLine } from './shopping-list';

interface ComparisonSectionProps {
  readonly index: CatalogIndex;
  readonly lines: readonly PricedLine[];
}

/** The same list at each provider. */
export function ComparisonSection({ index, lines }: ComparisonSectionProps) {
  const [choices, setChoices] = useState<Choices>({});
  const comparison = useMemo(() => compareProviders(index, lines, choices), [index, lines, choices]);
  const choose = (lineId: number, { provider }: Counterpart, key: string): void =>
    setChoices((before) => ({ ...before, [choiceOf(lineId, provider)]: key }));
  return (
    <section className={classes['card']} aria-labelledby="comparison">
      <div className={classes['sectionHead']}>
        <Title order={2} id="comparison">
          Compare providers
        </Title>
      </div>
      <div className={classes['sectionBody']}>
        <Text size="sm" c="dimmed" mb="md" maw={680}>
          Each line next to the closest price of the other providers: the same category, the same kind of unit, the same
          usage. Prices are for similar services, not identical ones, so choose another where it fits better. The totals
          include only lines that have a price at all three providers.
        </Text>
        <ProviderTotals comparison={comparison} />
        <ul className={classes['entries']}>
          {comparison.lines.map((compared) => (
            <Compared
              key={compared.line.line.id}
              compared={compared}
              onChoose={(counterpart, key) => choose(compared.line.line.id, counterpart, key)}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

function ProviderTotals({ comparison: { lines, totals } }: { readonly comparison: Comparison }) {
  const complete = lines.filter(({ isComplete }) => isComplete).length;
  const best = Math.min(...Object.values(totals));
  if (complete === 0) {
    return (
      <Text size="sm" fw={550} mb="md">
        No line has a match at all three providers yet, so there is no total to compare.
      </Text>
    );
  }
  return (
    <>
      <ul className={classes['providerTotals']} aria-label="Totals by provider">
        {PROVIDERS.map((provider) => (
          <li key={provider} className={classes['providerTotal']} data-best={totals[provider] === best}>
            <div className={classes['providerName']}>
              <ProviderDot provider={provider} />
              {PROVIDER_NAMES[provider]}
              {totals[provider] === best && (
                <Badge size="xs" variant="light">
                  lowest
                </Badge>
              )}
            </div>
            <Text className="figures" fw={650} fz="xl" mt={4} data-testid={`compare-${provider}`}>
              {formatUsd(totals[provider])}
            </Text>
            <Text className="figures" size="xs" c="dimmed">
              {totals[provider] === best ? 'a month' : `${formatUsd(totals[provider] - best)} more a month`}
            </Text>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed" my="md">
        {complete === lines.length ? 'All lines are included.' : `${complete} of ${lines.length} lines are included.`}
      </Text>
    </>
  );
}

interface ComparedProps {
  readonly compared: ComparedLine;
  readonly onChoose: (counterpart: Counterpart, key: string) => void;
}

function Compared({ compared: { line, counterparts, isComplete }, onChoose }: ComparedProps) {
  const { entry } = line.priced;
  const prices = counterparts.flatMap(({ monthlyUsd }) => monthlyUsd ?? []);
  const name = `${entry.service} ${entry.instance}`;
  return (
    <li className={classes['compared']}>
      <Text fw={600} size="sm">
        {name}
        {!isComplete && (
          <Text span size="xs" c="dimmed" ms="xs">
            not in the totals
          </Text>
        )}
      </Text>
      <ul className={classes['counterparts']} aria-label={`${name} at each provider`}>
        {counterparts.map((counterpart) => (
          <li key={counterpart.provider} className={classes['counterpart']}>
            <CounterpartCell
              counterpart={counterpart}
              isOwn={counterpart.provider === entry.provider}
              isLowest={prices.length > 1 && counterpart.monthlyUsd === Math.min(...prices)}
              of={name}
              onChoose={(key) => onChoose(counterpart, key)}
            />
          </li>
        ))}
      </ul>
    </li>
  );
}

interface CounterpartCellProps {
  readonly counterpart: Counterpart;
  readonly isOwn: boolean;
  readonly isLowest: boolean;
  readonly of: string;
  readonly onChoose: (key: string) => void;
}

function CounterpartCell({ counterpart, isOwn, isLowest, of, onChoose }: CounterpartCellProps) {
  const { provider, candidates, chosen, monthlyUsd } = counterpart;
  return (
    <>
      <div className={classes['providerName']}>
        <ProviderDot provider={provider} />
        {PROVIDER_NAMES[provider]}
        <Text className="figures" fw={650} size="sm" ms="auto" {...(isLowest && { c: 'var(--mantine-color-anchor)' })}>
          {monthlyUsd === undefined ? '–' : formatUsd(monthlyUsd)}
        </Text>
      </div>
      {isOwn || candidates.length === 0 ? (
        <Text size="sm" c="dimmed" mt={6}>
          {isOwn ? `Yours: ${chosen?.entry.instance}` : 'No match: this category has no price with this unit'}
        </Text>
      ) : (
        <NativeSelect
          mt={6}
          size="xs"
          aria-label={`${PROVIDER_NAMES[provider]} instead of ${of}`}
          value={chosen ? keyOfEntry(chosen.entry) : NOTHING}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          data={[...candidates.map(({ entry }) => keyOfEntry(entry)), { value: NOTHING, label: 'No match' }]}
        />
      )}
      {chosen && <div className={classes['small']}>{chosen.entry.specs}</div>}
    </>
  );
}
