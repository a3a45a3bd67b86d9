import { compareEndpoints } from '../../src/rehearsals/compare-endpoints';
import type { Endpoint } from '../../src/stores/endpoint-store';

const endpoint = (events: string[], filter?: object) =>
  ({ events, ...(filter && { options: { filter: JSON.stringify(filter) } }) }) as unknown as Endpoint;

const event = (type: string, data: unknown) => ({ type, data: Buffer.from(JSON.stringify(data)) });

const EVENTS = [
  event('order.created', { total: 5 }),
  event('order.created', { total: 50 }),
  event('order.paid', { total: 50 }),
  event('user.created', {}),
  event('everpost.endpoint.disabled', {}),
];

describe('comparing an endpoint before and after a change', () => {
  it('counts what other patterns match, the largest changes first', () => {
    expect(compareEndpoints(endpoint(['order.*']), endpoint(['order.paid', 'user.*']), EVENTS)).toEqual({
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
    const after = endpoint(['order.*'], { total: { $gte: 10 } });
    expect(compareEndpoints(endpoint(['order.*']), after, EVENTS)).toMatchObject({ before: 3, after: 2 });
  });

  it('counts nothing before for a new endpoint', () => {
    expect(compareEndpoints(undefined, endpoint(['*']), EVENTS)).toMatchObject({ before: 0, after: 4 });
  });

  it('names at most 50 types, and counts the others', () => {
    const many = Array.from({ length: 60 }, (_, index) => event(`type.${index}`, {}));
    const { after, types } = compareEndpoints(undefined, endpoint(['*']), many);
    expect([after, types.length]).toEqual([60, 50]);
  });
});
