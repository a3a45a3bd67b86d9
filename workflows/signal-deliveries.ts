import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { SignalActivities, SignalDeliveriesInput } from '../src/domain/signal-contract';

const { signalPage } = proxyActivities<SignalActivities>({
  startToCloseTimeout: '2m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Tells every delivery of an endpoint that something changed, page by page, however many there are and whatever is
 * killed meanwhile. The change itself is in MongoDB before this begins: a delivery that is not told finds it by itself,
 * later.
 *
 * @returns how many deliveries were told by pages that ended well: of one that broke off, those told before don't count
 */
export async function signalDeliveries(input: SignalDeliveriesInput): Promise<number> {
  let { cursor, signalled } = input;
  for (;;) {
    const page = await signalPage({ ...input, cursor, signalled });
    signalled += page.signalled;
    setCurrentDetails(`${signalled} deliveries were told to ${input.signal}`);
    if (page.cursor === null) return signalled;
    cursor = page.cursor;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof signalDeliveries>({ ...input, cursor, signalled });
    }
  }
}
