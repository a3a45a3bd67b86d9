import fc from 'fast-check';
import {
  DELIVERY_STATES,
  EVENT_STATUSES,
  eventStatus,
  isFinished,
  type DeliveryState,
} from '../../src/domain/delivery-state';

const delivery = fc.record({
  state: fc.constantFrom(...DELIVERY_STATES),
  attemptCount: fc.integer({ min: 0, max: 8 }),
});

function of(...states: [DeliveryState, number][]) {
  return eventStatus(states.map(([state, attemptCount]) => ({ state, attemptCount })));
}

it("an event's status sums up its deliveries", () => {
  expect(of()).toBe('no_destinations');
  expect(of(['pending', 0])).toBe('pending');
  expect(of(['pending', 0], ['pending', 0])).toBe('pending');
  expect(of(['retrying', 1])).toBe('retrying');
  expect(of(['delivered', 1], ['pending', 0])).toBe('retrying');
  expect(of(['delivered', 1], ['delivered', 3])).toBe('delivered');
  expect(of(['failed', 8], ['failed', 8])).toBe('failed');
  expect(of(['cancelled', 0], ['cancelled', 2])).toBe('cancelled');
  expect(of(['delivered', 1], ['failed', 8])).toBe('partially_failed');
  expect(of(['cancelled', 0], ['failed', 8])).toBe('partially_failed');
  expect(of(['cancelled', 0], ['delivered', 1])).toBe('delivered');
});

it('an event is finished only when all its deliveries are', () => {
  fc.assert(
    fc.property(fc.array(delivery, { minLength: 1, maxLength: 6 }), (deliveries) => {
      const status = eventStatus(deliveries);
      const waits = deliveries.some(({ state }) => state === 'pending' || state === 'retrying');
      expect(status === 'pending' || status === 'retrying').toBe(waits);
      expect(EVENT_STATUSES).toContain(status);
    }),
  );
});

it("the order of the deliveries doesn't matter", () => {
  fc.assert(
    fc.property(
      fc
        .array(delivery, { maxLength: 6 })
        .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        expect(eventStatus(shuffled)).toBe(eventStatus(list));
      },
    ),
  );
});

it('a success never hides a failure', () => {
  fc.assert(
    fc.property(fc.array(delivery, { minLength: 1, maxLength: 6 }), (deliveries) => {
      fc.pre(deliveries.every(({ state }) => isFinished(state)) && deliveries.some(({ state }) => state === 'failed'));
      expect(['failed', 'partially_failed']).toContain(eventStatus(deliveries));
    }),
  );
});

it('delivered, failed and cancelled are the final states of a delivery', () => {
  expect(DELIVERY_STATES.filter(isFinished)).toEqual(['delivered', 'failed', 'cancelled']);
});
