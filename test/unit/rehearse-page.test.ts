import { checkPage } from '../../src/rehearsals/check-page';
import { matchPage } from '../../src/rehearsals/match-page';
import type { EndpointRehearsal, RehearsedEndpoint, RehearsedEvent } from '../../src/rehearsals/rehearsal-contract';
import { createSums } from '../../src/rehearsals/sum-pages';

const endpoint = (events: string[], options: RehearsedEndpoint['options'] = {}): RehearsedEndpoint => ({
  events,
  options,
});

const event = (type: string, data: unknown, timestamp = 1_000): RehearsedEvent => {
  id += 1;
  return { id, type, timestamp, data: Buffer.from(JSON.stringify(data)) };
};
let id = 0;

const EVENTS = [
  event('order.created', { total: 5 }),
  event('order.created', { total: 50 }),
  event('order.paid', { total: 50 }, 2_000),
  event('user.created', {}),
  event('everpost.endpoint.disabled', {}),
];

/** Rehearses with two pages. */
function rehearse(before: RehearsedEndpoint | undefined, after: RehearsedEndpoint, events = EVENTS) {
  const change: EndpointRehearsal = { kind: 'endpoint', accountId: 'acc_1', defaultBody: undefined, before, after };
  const sums = createSums(change);
  sums.add(matchPage(change, events.slice(0, 2)));
  sums.add(matchPage(change, events.slice(2)));
  return sums.sums();
}

describe('a change of an endpoint', () => {
  it('counts what other patterns match, the largest changes first', () => {
    expect(rehearse(endpoint(['order.*']), endpoint(['order.paid', 'user.*'])).matches).toEqual({
      before: 3,
      after: 2,
      types: [
        { type: 'order.created', before: 2, after: 0 },
        { type: 'user.created', before: 0, after: 1 },
        { type: 'everpost.endpoint.disabled', before: 0, after: 0 },
        { type: 'order.paid', before: 1, after: 1 },
      ],
    });
  });

  it('counts what a filter keeps out', () => {
    const after = endpoint(['order.*'], { filter: JSON.stringify({ total: { $gte: 10 } }) });
    expect(rehearse(endpoint(['order.*']), after).matches).toMatchObject({ before: 3, after: 2 });
  });

  it('counts nothing before for a new endpoint, and shows bodies without a counterpart', () => {
    const { matches, bodies, peak } = rehearse(undefined, endpoint(['*'], { max_per_second: 5 }));
    expect(matches).toMatchObject({ before: 0, after: 4 });
    expect(bodies.map(({ before, content_type_before: type }) => [before, type])).toEqual(
      Array.from({ length: 3 }, () => [null, null]),
    );
    expect(peak).toEqual({ before: 0, after: 3, at: '1970-01-01T00:16:40.000Z', max_per_second: 5 });
  });

  it('shows the bodies that differ first, and says what they are', () => {
    const after = endpoint(['order.*'], { body: 'cloudevents', exclude: ['total'] });
    const [first, ...others] = rehearse(endpoint(['order.*']), after).bodies;
    expect(others).toHaveLength(2);
    expect(JSON.parse(first!.before!)).toEqual({ id: 1, type: 'order.created', data: { total: 5 }, timestamp: 1_000 });
    expect(JSON.parse(first!.after!)).toMatchObject({ specversion: '1.0', data: {} });
    expect([first!.content_type_before, first!.content_type_after]).toEqual([
      'application/json',
      'application/cloudevents+json',
    ]);
  });

  it('shows bodies that stay the same after those that a filter keeps out', () => {
    const after = endpoint(['order.*'], { filter: JSON.stringify({ total: { $lt: 10 } }) });
    const { bodies } = rehearse(endpoint(['order.*']), after);
    expect(bodies.map(({ event_id: eventId, after: text }) => [eventId, text === null])).toEqual([
      [2, true],
      [3, true],
      [1, false],
    ]);
    expect(bodies[2]!.before).toBe(bodies[2]!.after);
  });

  it('shows bodies that change before those that the endpoint no longer gets', () => {
    const options = { filter: JSON.stringify({ total: { $lt: 10 } }), exclude: ['total'] };
    const { bodies } = rehearse(endpoint(['order.*']), endpoint(['order.*'], options));
    expect(bodies.map(({ event_id: eventId, after }) => [eventId, after === null])).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
  });

  it('cuts long bodies and marks the cut', () => {
    const { bodies } = rehearse(undefined, endpoint(['*']), [event('a', 'x'.repeat(20_000))]);
    expect(bodies[0]!.after).toHaveLength(16_385);
    expect(bodies[0]!.after!.endsWith('x…')).toBe(true);
  });

  it('names at most 50 types, and counts the others', () => {
    const many = Array.from({ length: 60 }, (_, index) => event(`type.${index}`, {}));
    const { matches } = rehearse(undefined, endpoint(['*']), many);
    expect([matches!.after, matches!.types.length]).toEqual([60, 50]);
  });

  it('has no peak if nothing ever matches', () => {
    expect(rehearse(endpoint(['a']), endpoint(['b']))).toMatchObject({ peak: null, bodies: [] });
  });
});

describe('a schema for an event type', () => {
  const change = (schema: object) => ({
    kind: 'event_type' as const,
    name: 'order.created',
    schema: JSON.stringify(schema),
  });

  it('counts the events that it refuses, and the paths by how many they refuse', () => {
    const order = change({ type: 'object', required: ['id'], properties: { total: { maximum: 10 } } });
    const sums = createSums(order);
    for (const page of [EVENTS.slice(0, 1), EVENTS.slice(1, 2)]) {
      const answer = checkPage(order, page);
      if (answer.kind === 'unusable') throw new Error('unusable');
      sums.add(answer);
    }
    expect(sums.sums()).toEqual({
      matches: null,
      peak: null,
      bodies: [],
      schema: {
        checked: 2,
        failed: 2,
        paths: [
          { path: 'data.id', message: 'is required', count: 2, event_id: 1 },
          { path: 'data.total', message: 'must be <= 10', count: 1, event_id: 2 },
        ],
      },
    });
  });

  it('can be one that no check can use', () => {
    expect(checkPage(change({ type: 'nothing' }), [])).toMatchObject({
      kind: 'unusable',
      details: expect.arrayContaining([expect.objectContaining({ path: 'schema.type' })]),
    });
  });
});
