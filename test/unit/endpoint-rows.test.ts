import { countByHealth, failureRate, rowsOf, searchRows } from '../../dashboard/src/endpoints/endpoint-rows';

type Endpoint = Parameters<typeof rowsOf>[0][number];

/** An endpoint with its health, and so many attempts in the last hour. */
function build(id: string, changes: object, state = 'healthy', succeeded = 0, failed = 0) {
  const health = { state } as Endpoint['health'];
  const endpoint = { id, url: `https://${id}.example/hook`, description: '', events: ['*'], metadata: {}, health };
  return {
    endpoint: { ...endpoint, ...changes } as unknown as Endpoint,
    listed: { endpoint_id: id, health, failing_since: null, hours: [{ from: '', succeeded, failed }] },
  };
}

const built = [
  build('ep_a', { description: 'Warehouse' }, 'failing', 1, 3),
  build('ep_b', { description: 'Customer: Globex', metadata: { owner: 'billing' } }, 'healthy', 9, 1),
  build('ep_c', { events: ['order.*'] }, 'waiting'),
  build('ep_d', { description: 'Initech' }, 'failing', 0, 2),
];
const rows = rowsOf(
  built.map(({ endpoint }) => endpoint),
  { endpoints: built.map(({ listed }) => listed) },
  {
    endpoints: [
      { endpoint_id: 'ep_c', deliveries: 7 },
      { endpoint_id: 'ep_d', deliveries: 9 },
    ],
    complete: true,
  },
);
const idsOf = (search: Parameters<typeof searchRows>[1]) => searchRows(rows, search).map(({ endpoint }) => endpoint.id);

describe('the list of endpoints', () => {
  it('counts the states that endpoints are in, the worst first', () => {
    expect(countByHealth(rows)).toEqual([
      { state: 'failing', count: 2 },
      { state: 'waiting', count: 1 },
      { state: 'healthy', count: 1 },
    ]);
  });

  it.each([
    ['a description, whatever its case', { q: 'globex' }, ['ep_b']],
    ['a URL', { q: 'ep_c.example' }, ['ep_c']],
    ['an id', { q: 'ep_d' }, ['ep_d']],
    ['a pattern', { q: 'order.' }, ['ep_c']],
    ['a key of metadata', { q: 'owner' }, ['ep_b']],
    ['a value of metadata', { q: ' Billing ' }, ['ep_b']],
    ['a state', { health: 'failing' }, ['ep_a', 'ep_d']],
    ['a state and a text', { health: 'failing', q: 'init' }, ['ep_d']],
    ['nothing', {}, ['ep_a', 'ep_b', 'ep_c', 'ep_d']],
    ['what does not exist', { health: 'constructor', sort: 'toString' }, ['ep_a', 'ep_b', 'ep_c', 'ep_d']],
  ])('is narrowed by %s', (_what, search, ids) => {
    expect(idsOf(search)).toEqual(ids);
  });

  it('is in order of what waits, of failure rate or of name', () => {
    expect(idsOf({ sort: 'waiting' })).toEqual(['ep_d', 'ep_c', 'ep_a', 'ep_b']);
    expect(idsOf({ sort: 'failures' })).toEqual(['ep_d', 'ep_a', 'ep_b', 'ep_c']);
    expect(idsOf({ sort: 'name' })).toEqual(['ep_b', 'ep_c', 'ep_d', 'ep_a']);
    expect(rows.map(failureRate)).toEqual([0.75, 0.1, 0, 1]);
  });

  it('shows the state of an endpoint before the list of health is loaded', () => {
    const [first] = rowsOf([built[0]!.endpoint], undefined, undefined);
    expect([first!.health.state, first!.hours, first!.waiting]).toEqual(['failing', [], undefined]);
  });
});
