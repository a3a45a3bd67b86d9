import type { Overview } from '../api/answers';

type Outcome = Exclude<keyof Overview['hours'][number], 'from'>;

interface OutcomeLook {
  readonly name: Outcome;
  readonly label: string;
  readonly color: string;
}

/** What becomes of deliveries, in the order in which bars are stacked. */
export const OUTCOMES: readonly OutcomeLook[] = [
  { name: 'delivered', label: 'Delivered', color: 'tide.5' },
  { name: 'pending', label: 'Pending', color: 'gray.4' },
  { name: 'retrying', label: 'Retrying', color: 'yellow.5' },
  { name: 'failed', label: 'Failed', color: 'red.5' },
  { name: 'cancelled', label: 'Cancelled', color: 'gray.6' },
];
