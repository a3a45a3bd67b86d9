import type { DeliveryListStore, DeliveryPosition } from '../stores/list-deliveries-store';
import { deliveriesOf, toReplayFilter, type ReplaySelection } from './replay-filter';

/** What a bulk replay would do now. */
export interface ReplayPreview {
  /** How many deliveries it would send again, among the events that were read. */
  readonly matched: number;
  /** Whether there may be more: only the newest `MAX_READ` events of the filter's index are read. */
  readonly isMore: boolean;
  /** Whether the newest answered delivery to the filter's endpoint has failed; null without an endpoint or an answer. */
  readonly endpointFailed: boolean | null;
}

/** A person decides by the order of magnitude; each page of it takes about 20 ms. */
const MAX_READ = 10_000;
const PAGE = 5_000;

/**
 * Counts what a bulk replay with this filter would send again, and looks whether its endpoint still fails.
 *
 * @param now by the database's clock
 */
export async function previewReplay(
  { deliveryLists }: { readonly deliveryLists: DeliveryListStore },
  { accountId, now }: { readonly accountId: string; readonly now: Date },
  input: ReplaySelection,
): Promise<ReplayPreview> {
  const filter = deliveriesOf({ account_id: accountId, filter: toReplayFilter(input), created_at: now });
  const countAll = async (): Promise<Pick<ReplayPreview, 'matched' | 'isMore'>> => {
    let matched = 0;
    let from: DeliveryPosition | undefined;
    for (let read = 0; read < MAX_READ; read += PAGE) {
      const page = await deliveryLists.page(filter, { order: 'newest first', limit: PAGE, from });
      matched += page.deliveries.length;
      if (!page.next) return { matched, isMore: false };
      from = page.next;
    }
    return { matched, isMore: true };
  };
  const [counted, endpointFailed] = await Promise.all([
    countAll(),
    input.endpointId === undefined ? null : lastFailed(deliveryLists, accountId, input.endpointId),
  ]);
  return { ...counted, endpointFailed };
}

async function lastFailed(
  deliveryLists: DeliveryListStore,
  accountId: string,
  endpointId: string,
): Promise<boolean | null> {
  const answered = { accountId, endpointId, states: ['delivered', 'retrying', 'failed'] } as const;
  const { deliveries } = await deliveryLists.page(answered, { order: 'newest first', limit: 1 });
  const [newest] = deliveries;
  return newest ? newest.destination.state !== 'delivered' : null;
}
