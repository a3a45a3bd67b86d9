import { Text } from '@mantine/core';
import classes from './estimator.module.css';
import { formatUsd } from './money';
import { countLeftOut, isIncomplete, type PricedList } from './shopping-list';

const INCOMPLETE = 'var(--mantine-color-error)';

/** What the list costs a month and a year. */
export function TotalCard(priced: PricedList) {
  const { estimate } = priced;
  const incomplete = isIncomplete(priced);
  const color = incomplete ? INCOMPLETE : 'dimmed';
  return (
    <section className={`${classes['card']} ${classes['total']} figures`} aria-label="Total">
      <div>
        <Text size="sm" c={color} fw={550}>
          {incomplete ? 'A month, incomplete' : 'A month'}
        </Text>
        <div className={classes['totalFigure']} data-testid="total-monthly">
          {formatUsd(estimate?.totalMonthlyUsd ?? 0)}
        </div>
        <ListPrice {...priced} />
      </div>
      <div>
        <Text size="sm" c={color} fw={550}>
          {incomplete ? 'A year, incomplete' : 'A year'}
        </Text>
        <div className={classes['totalSecond']} data-testid="total-annual">
          {formatUsd(estimate?.totalAnnualUsd ?? 0)}
        </div>
      </div>
      <Text size="sm" c={color} maw={230}>
        {incomplete ? whyIncomplete(priced) : aboutPrices(priced)}
      </Text>
    </section>
  );
}

function ListPrice({ estimate, listEstimate, counted }: PricedList) {
  if (!estimate || !listEstimate || counted.length === 0) return null;
  const list = listEstimate.totalMonthlyUsd;
  // Both are whole cents, so that their difference has to be one too.
  const off = Math.round((list - estimate.totalMonthlyUsd) * 100) / 100;
  return (
    <Text size="sm" mt={6} data-testid="total-discounts">
      {formatUsd(list)} at list prices, {formatUsd(off)} off
    </Text>
  );
}

function whyIncomplete({ lines, discounts }: PricedList): string {
  const left = countLeftOut({ lines });
  const wrong = discounts.filter(({ problem }) => problem !== undefined).length;
  const texts = [
    ...(left > 0
      ? [`${left} of ${lines.length} lines are not counted: a number is missing, can't be read, or is out of range.`]
      : []),
    ...(wrong > 0 ? [`${wrong} of ${discounts.length} discounts are not counted: see the percentage.`] : []),
  ];
  return texts.join(' ');
}

function aboutPrices({ counted }: PricedList): string {
  const prices =
    counted.length === 0
      ? 'List prices in US dollars, without taxes, discounts and free tiers.'
      : 'US dollars after your discounts, without taxes and free tiers.';
  return `${prices} Only the total is rounded. A GB is what the provider bills as one, for some a GiB.`;
}
