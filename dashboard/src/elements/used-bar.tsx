import { Progress } from '@mantine/core';

/** The first alert about the quota comes then too (src/domain/quota-level.ts). */
const ALMOST = 0.8;

interface UsedBarProps {
  readonly used: number;
  readonly limit: number;
  /** What a screen reader says. */
  readonly label: string;
}

/** How much of a limit is used; red when it is almost all. */
export function UsedBar({ used, limit, label }: UsedBarProps) {
  const share = limit === 0 ? 1 : used / limit;
  return <Progress value={share * 100} color={share >= ALMOST ? 'red' : 'tide'} aria-label={label} />;
}
