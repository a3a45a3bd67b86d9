import { Text } from '@mantine/core';
import classes from './estimator.module.css';
import { formatUsd } from './money';
import { countLeftOut, type PricedList } from './shopping-list';

const INCOMPLETE = 'var(--mantine-color-error)';

/** What the list costs a month and a year. */
export function TotalCard({ lines, estimate }: PricedList) {
  const left = countLeftOut({ lines });
  return (
    <section className={`${classes['card']} ${classes['total']} figures`} aria-label="Total">
      <div>
        <Text size="sm" c={left > 0 ? INCOMPLETE : 'dimmed'} fw={550}>
          {left > 0 ? 'A month, incomplete' : 'A month'}
        </Text>
        <div className={classes['totalFigure']} data-testid="total-monthly">
          {formatUsd(estimate?.totalMonthlyUsd ?? 0)}
        </div>
      </div>
      <div>
        <Text size="sm" c={left > 0 ? INCOMPLETE : 'dimmed'} fw={550}>
          {left > 0 ? 'A year, incomplete' : 'A year'}
        </Text>
        <div className={classes['totalSecond']} data-testid="total-annual">
          {formatUsd(estimate?.totalAnnualUsd ?? 0)}
        </div>
      </div>
      <Text size="sm" c={left > 0 ? INCOMPLETE : 'dimmed'} maw={230}>
        {left > 0
          ? `${left} of ${lines.length} lines are not counted: a number is missing, can't be read, or is out of range.`
          : 'List prices in US dollars, without taxes, discounts and free tiers. Only the total is rounded. A GB is what the provider bills as one, for some a GiB.'}
      </Text>
    </section>
  );
}
