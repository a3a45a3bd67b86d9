import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  REPLAY_CANCELLED_SIGNAL,
  REPLAY_PAGE_MS,
  type ReplayActivities,
  type ReplayDeliveriesInput,
} from '../src/domain/replay-contract';

/** Ends the wait for the next page, which then finds in the record that the job is cancelled. */
const replayCancelled = defineSignal(REPLAY_CANCELLED_SIGNAL);

const { countReplay, replayPage, recordReplayCancelled } = proxyActivities<ReplayActivities>({
  startToCloseTimeout: '5m',
  // A page tells that it lives after every few deliveries: a killed worker is found out soon.
  heartbeatTimeout: '20s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Sends the deliveries of a job again, page by page, at the job's rate: however many there are, and whatever is killed
 * meanwhile. What is done is in MongoDB after each page, so an execution that Temporal lost is begun anew.
 */
export async function replayDeliveries({ jobId, notBeforeMs }: ReplayDeliveriesInput): Promise<void> {
  let isCancelled = false;
  setHandler(replayCancelled, () => void (isCancelled = true));
  try {
    if (notBeforeMs === undefined) await countReplay(jobId);
    let nextAtMs = notBeforeMs ?? Date.now();
    for (;;) {
      const waitMs = nextAtMs - Date.now();
      if (waitMs > 0) await condition(() => isCancelled, waitMs);
      const page = await replayPage(jobId);
      if (!page) return;
      setCurrentDetails(`${page.replayed} of ${page.matched} deliveries replayed, ${page.ratePerSecond} a second`);
      // What a slow page missed is made up for by one page, not by a burst.
      nextAtMs = Math.max(nextAtMs, Date.now() - REPLAY_PAGE_MS) + (page.taken / page.ratePerSecond) * 1_000;
      if (workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof replayDeliveries>({ jobId, notBeforeMs: Math.round(nextAtMs) });
      }
    }
  } catch (error) {
    // Cancelled in Temporal's Web UI or CLI: the record must say so as well.
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => recordReplayCancelled(jobId));
    throw error;
  }
}
