import { Progress } from '@mantine/core';
import { quotaLevel } from '../../../src/domain/quota-level';

interface UsedBarProps {
  readonly used: number;
  readonly limit: number;
  /** What a screen reader says. */
  readonly label: string;
}

/** How much of a limit is used; red from the level on at which the quota is announced. */
export function UsedBar({ used, limit, label }: UsedBarProps) {
  const share = limit === 0 ? 1 : used / limit;
  const color = quotaLevel(used, limit) === null ? 'tide' : 'red';
  return <Progress value={share * 100} color={color} aria-label={label} />;
}
