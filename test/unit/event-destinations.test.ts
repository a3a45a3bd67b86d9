import { byUrgency, openAtOnce, summaryOf } from '../../dashboard/src/events/destinations';
import { conditionInWords, explanationInWords, hasAlternatives } from '../../dashboard/src/events/explanation-in-words';
import type { AttemptErrorCode, DeliveryState } from '../../src/domain/delivery-state';

const delivery = (id: string, state: DeliveryState, status: number | null = null, code?: AttemptErrorCode) => ({
  id,
  state,
  run: 1,
  attempts: state === 'pending' ? [] : [{ run: 1, status_code: status, error_code: code ?? null }],
});
const nameOf = ({ id }: { readonly id: string }): string => id;

const DELIVERIES = [
  delivery('Ledger', 'delivered', 200),
  delivery('Warehouse', 'retrying', 502, 'http_status'),
  delivery('Archive', 'delivered', 200),
  delivery('Initech', 'retrying', 301, 'http_status'),
  delivery('Umbrella', 'failed', null, 'timeout'),
  delivery('Later', 'pending'),
];

describe('the deliveries of an event', () => {
  it('are summed up by state, with the names and the causes of those that fail', () => {
    expect(summaryOf(DELIVERIES, nameOf)).toMatch(
      /^2 delivered, 1 failed \(Umbrella [A-Za-z ]+\), 2 retrying \(Warehouse 502, Initech 301\), 1 pending$/,
    );
  });

  it('name three that fail, and count the others', () => {
    const failing = ['a', 'b', 'c', 'd', 'e'].map((id) => delivery(id, 'failed', 500, 'http_status'));
    expect(summaryOf(failing, nameOf)).toBe('5 failed (a 500, b 500, c 500 and 2 more)');
  });

  it('have no cause of a run that a replay followed', () => {
    const replayed = { ...delivery('Warehouse', 'retrying', 502, 'http_status'), run: 2 };
    expect(summaryOf([replayed], nameOf)).toBe('1 retrying (Warehouse)');
  });

  it('are shown failing ones first, then open ones, by name', () => {
    expect(byUrgency(DELIVERIES, nameOf).map(nameOf)).toEqual([
      'Umbrella',
      'Initech',
      'Warehouse',
      'Later',
      'Archive',
      'Ledger',
    ]);
  });

  it('are opened at once if there is one, or one that fails', () => {
    expect(openAtOnce(DELIVERIES.slice(0, 1))?.id).toBe('Ledger');
    expect(openAtOnce(DELIVERIES.slice(0, 3))?.id).toBe('Warehouse');
    expect(openAtOnce(DELIVERIES)).toBeUndefined();
  });
});

describe('why an endpoint did not get an event', () => {
  const explanation = {
    event_id: 1,
    endpoint_id: 'ep_1',
    delivery: null,
    reasons: [],
    patterns: ['invoice.*', 'refund'],
    conditions: [],
    changed_since: false,
  };

  it('is said with its patterns, and with the doubt that a change leaves', () => {
    const words = explanationInWords(
      { ...explanation, reasons: ['type_not_matched', 'filter_refused'], changed_since: true },
      'order.created',
    );
    expect(words).toEqual([
      'None of its patterns matches order.created: invoice.*, refund.',
      'Its filter refuses the data of this event.',
      'It was changed after the event was accepted: this is what its present patterns and filter say.',
    ]);
  });

  it('adds that an endpoint which was created later gets such events now', () => {
    expect(explanationInWords({ ...explanation, reasons: ['created_later'] }, 'a')).toEqual([
      'This endpoint was created after the event was accepted.',
      'Its patterns and its filter match: it gets events like this one now.',
    ]);
  });

  it.each([
    ['total.$gte', '$gte', 1_000, '5', 'total ≥ 1000, but it is 5'],
    ['total', '$eq', 'x', null, 'total = "x", but the event has no such field'],
    ['total.$exists', '$exists', true, null, 'total $exists true, but the event has no such field'],
    ['$nor.0.total.$in', '$in', [1, 2], '2', 'not total is one of [1,2], but it is 2'],
    ['$nor.0.$nor.1.total', '$eq', 1, '2', 'total = 1, but it is 2'],
  ])('says of the condition %s what the event has', (path, operator, operand, found, words) => {
    expect(conditionInWords({ path, field: 'total', operator, operand, found })).toBe(words);
  });

  it('knows whether one of several conditions would be enough', () => {
    expect([hasAlternatives([{ path: 'a.$or' }]), hasAlternatives([{ path: 'a' }])]).toEqual([true, false]);
  });
});
