import type { ChartPart } from '../charts/chart-part';
import { CALL_REFUSALS, type CallRefusal } from '../../../src/domain/call-refusals';
import type { Usage } from '../api/answers';

type Days = Usage['days'];

/** What a card shows: a number for each day and series. */
export interface DayRows {
  readonly series: readonly ChartPart[];
  /** The oldest day first; null is unknown. */
  readonly rows: readonly { readonly day: string; readonly counts: Readonly<Record<string, number | null>> }[];
}

/** More colours than these can't be told apart. */
const KEY_COLORS = [
  'var(--mantine-color-tide-5)',
  'var(--mantine-color-yellow-5)',
  'var(--mantine-color-grape-5)',
  'var(--mantine-color-orange-5)',
  'var(--mantine-color-blue-5)',
];
const OTHERS: ChartPart = { name: 'others', label: 'Other keys', color: 'var(--mantine-color-gray-5)' };

const REFUSALS: Readonly<Record<CallRefusal, { label: string; color: string }>> = {
  rate_limit_exceeded: { label: 'Calls per minute', color: 'var(--mantine-color-yellow-5)' },
  quota_exceeded: { label: 'Monthly quota', color: 'var(--mantine-color-red-5)' },
  delivery_budget_exceeded: { label: 'Deliveries per minute', color: 'var(--mantine-color-grape-5)' },
  pending_budget_exceeded: { label: 'Pending deliveries', color: 'var(--mantine-color-blue-5)' },
  filter_budget_exceeded: { label: 'Filters', color: 'var(--mantine-color-teal-5)' },
  storage_budget_exceeded: { label: 'Stored bytes', color: 'var(--mantine-color-orange-5)' },
};

/** Calls by key: the keys with the most calls, and all others together. */
export function callRows(days: Days, keys: Usage['keys']): DayRows {
  const totals = new Map<string, number>();
  for (const { keys: used } of days) {
    for (const { key_id: id, calls } of used) totals.set(id, (totals.get(id) ?? 0) + calls);
  }
  const ids = [...totals.keys()].sort((one, other) => totals.get(other)! - totals.get(one)!);
  const shown = ids.slice(0, KEY_COLORS.length);
  const series = shown.map((id, index) => ({
    name: id,
    label: keys.find((key) => key.id === id)?.label ?? id,
    color: KEY_COLORS[index]!,
  }));
  return {
    series: ids.length > shown.length ? [...series, OTHERS] : series,
    rows: days.map(({ day, calls, keys: used }) => {
      const counts = Object.fromEntries(
        shown.map((id) => [id, used.find(({ key_id: keyId }) => keyId === id)?.calls ?? 0]),
      );
      const named = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return { day, counts: { ...counts, [OTHERS.name]: calls - named } };
    }),
  };
}

/** Calls that got 429, by reason. */
export function refusalRows(days: Days): DayRows {
  return {
    series: CALL_REFUSALS.map((name) => ({ name, ...REFUSALS[name] })),
    rows: days.map(({ day, refused }) => ({ day, counts: refused })),
  };
}

/** Delivery attempts. */
export function attemptRows(days: Days): DayRows {
  return {
    series: [{ name: 'attempts', label: 'Attempts', color: 'var(--mantine-color-tide-5)' }],
    rows: days.map(({ day, attempts }) => ({ day, counts: { attempts } })),
  };
}
