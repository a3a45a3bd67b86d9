import { Badge, NativeSelect, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { PROVIDERS, type CatalogIndex } from '../../../src/domain/catalog';
import type { Offer } from '../../../src/domain/comparable-offers';
import type { Discounts } from '../../../src/domain/discounts';
import {
  choiceOf,
  compareProviders,
  keyOfOffer,
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
import { countLeftOut, type PricedLine } from './shopping-list';

interface ComparisonSectionProps {
  readonly index: CatalogIndex;
  readonly lines: readonly PricedLine[];
  readonly discounts: Discounts;
}

/** The same list at each provider. */
export function ComparisonSection({ index, lines, discounts }: ComparisonSectionProps) {
  const [choices, setChoices] = useState<Choices>({});
  const comparison = useMemo(
    () => compareProviders(index, lines, choices, discounts),
    [index, lines, choices, discounts],
  );
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
          Each line next to what the other providers have of the same: the same engine, as many vCPUs, as much memory,
          the same copies, a complete price, in the same part of the world. Where the catalog has no such entry, the
          line has no equivalent and is in no total.
          {discounts.length > 0 && ' Your discounts are taken off.'}
        </Text>
        <ProviderTotals comparison={comparison} left={countLeftOut({ lines })} />
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

interface ProviderTotalsProps {
  readonly comparison: Comparison;
  /** How many lines are not counted anywhere. */
  readonly left: number;
}

function ProviderTotals({ comparison: { lines, totals }, left }: ProviderTotalsProps) {
  const all = lines.length + left;
  const complete = lines.filter(({ isComplete }) => isComplete).length;
  const best = Math.min(...Object.values(totals));
  if (complete === 0) {
    return (
      <Text size="sm" fw={550} mb="md">
        No line has an equivalent at all three providers, so there is no total to compare.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm" fw={550} mb="xs">
        {complete === all
          ? 'These totals are of all lines.'
          : `These totals are of ${complete} of ${all} lines: the others have no equivalent at every provider${left > 0 ? ', or are not counted' : ''}.`}
      </Text>
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
  const { provider, candidates, chosen, reason, monthlyUsd } = counterpart;
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
          {isOwn && chosen ? `Yours: ${keyOfOffer(chosen)}` : reason}
        </Text>
      ) : (
        <NativeSelect
          mt={6}
          size="xs"
          aria-label={`${PROVIDER_NAMES[provider]} instead of ${of}`}
          value={chosen ? keyOfOffer(chosen) : NOTHING}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          data={[...candidates.map(keyOfOffer), { value: NOTHING, label: 'Nothing' }]}
        />
      )}
      {chosen && <div className={classes['small']}>{isOwn ? specsOf(chosen) : reason}</div>}
    </>
  );
}

function specsOf({ parts }: Offer): string {
  return parts.map(({ priced }) => priced.entry.specs).join('; ');
}
