import fc from 'fast-check';

/** The operations on one delivery, and when they happen, in milliseconds after it was acknowledged. */
export interface DeliveryStep {
  readonly atMs: number;
  readonly what: 'cancel' | 'retry' | 'replay';
}

/** What happens to one endpoint, and when, as a share of the whole time. */
export interface EndpointStep {
  readonly at: number;
  readonly what: 'pause' | 'resume' | 'move' | 'delete';
}

/** A whole play: the same seed gives the same one. */
export interface Script {
  readonly deliveries: readonly (readonly DeliveryStep[])[];
  readonly endpoints: readonly (readonly EndpointStep[])[];
}

/** Steps come while a delivery's attempts are made, and a little after its end. */
const LATEST_MS = 15_000;

const step = fc.record({
  atMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: LATEST_MS })),
  what: fc.constantFrom<DeliveryStep['what']>('cancel', 'retry', 'retry', 'retry', 'replay', 'replay'),
});

/** Half of the deliveries are left alone: they show that nothing else disturbs them. */
const deliverySteps = fc.oneof(
  { weight: 1, arbitrary: fc.constant<DeliveryStep[]>([]) },
  { weight: 1, arbitrary: fc.array(step, { minLength: 1, maxLength: 4 }) },
);

const share = fc.double({ min: 0.05, max: 0.9, noNaN: true });

/** Pauses end, one endpoint in five is removed, and some move to another URL. */
const endpointSteps = fc
  .record({
    pauses: fc.array(fc.tuple(share, fc.double({ min: 0.02, max: 0.1, noNaN: true })), { maxLength: 2 }),
    moves: fc.array(share, { maxLength: 2 }),
    deleted: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.double({ min: 0.5, max: 0.9, noNaN: true }) },
    ),
  })
  .map(({ pauses, moves, deleted }) => {
    const steps: EndpointStep[] = moves.map((at) => ({ at, what: 'move' }));
    let free = 0;
    for (const [at, length] of pauses.sort(([a], [b]) => a - b)) {
      const from = Math.max(at, free);
      steps.push({ at: from, what: 'pause' }, { at: from + length, what: 'resume' });
      free = from + length + 0.01;
    }
    if (deleted !== null) steps.push({ at: deleted, what: 'delete' });
    return steps.sort((a, b) => a.at - b.at);
  });

export function writeScript(seed: number, deliveries: number, endpoints: number): Script {
  return {
    deliveries: fc.sample(deliverySteps, { numRuns: deliveries, seed }),
    endpoints: fc.sample(endpointSteps, { numRuns: endpoints, seed: seed + 1 }),
  };
}
