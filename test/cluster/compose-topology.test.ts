import { join } from 'node:path';
import { findTemporalTools } from '../../bench/topology/temporal-tools';
import { startTopology, type Topology } from '../../bench/topology/topology';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { countExecutions } from '../chaos/cluster/executions';
import { kill, type Kill } from '../chaos/cluster/kill';
import { createChecks } from '../chaos/fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost, holdRepeatsInFlight } from '../chaos/verdict-checks';
import { inLanes } from '../chaos/waiting';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { onProgress } from '../support/servers';
import { openTenant } from './tenant';

const ROOT = join(__dirname, '..', '..');

/** What an operator's .env has: retries within seconds, and receivers on loopback. */
const DOT_ENV = {
  RETRY_SCHEDULE: '0s,1s,2s,3s,4s,5s,5s,10s',
  // A dead worker's claim lasts ten seconds longer.
  DELIVERY_TIMEOUT: '5s',
  DELIVERY_ALLOW_HTTP: '1',
  DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
  DELIVERY_ALLOW_PORTS: '1-65535',
  EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: '1',
  TIERS: JSON.stringify([{ id: 'cluster', name: 'Cluster', monthlyQuota: null, perMinute: 1_000_000 }]),
};

const EVENTS = 500;
const LANES = 16;
/** The load during the faults: three deliveries each, of which one takes three attempts. */
const EVENTS_PER_SECOND = 5;
/** What is acknowledged between one fault and the next, so that each happens in load. */
const BETWEEN_FAULTS = 30;
const SETTLE_MS = 120_000;
/** The most attempts of a delivery to the receiver that refuses two. */
const REFUSED = 2;

/** Enough executions to fill the first two pages of an index. */
const LISTED_EVENTS = 100;
/** The indexes of search attributes that have entries: an empty index has at most two pages. */
const FILLED_INDEXES = `SELECT relname FROM pg_class
  WHERE relname ~ '^by_(temporal_)?(bool|datetime|double|int|keyword|low_cardinality|text)_'
    AND pg_relation_size(oid) > 16384 ORDER BY relname`;

const tools = findTemporalTools(ROOT);
const describeIf = tools === undefined ? describe.skip : describe;

describeIf('the services of docker-compose.yml, with two APIs, two workers and three mongods', () => {
  const topology = useFixture<Topology>(
    'file',
    () => startTopology({ root: ROOT, tools: tools!, apis: 2, workers: 2, dotEnv: DOT_ENV, say: onProgress }),
    (started) => started.close(),
  );

  it('deliver every event that either API acknowledges, and retry in workflows', async () => {
    const tenant = await openTenant(topology);
    await inLanes(Array.from({ length: EVENTS }), LANES, (_, index) => tenant.send(index));

    const verdict = await tenant.settle(SETTLE_MS);
    const checks = createChecks();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict, REFUSED);
    holdNoRepeats(checks, verdict);
    expect(checks.outcome().failures).toEqual([]);
    expect(verdict.acknowledged).toBe(EVENTS);
    const [steady, , refusing] = tenant.endpoints;
    const attemptsAt = ({ id }: { readonly id: string }) =>
      [...verdict.finals.values()].map(
        (deliveries) => deliveries.find(({ endpointId }) => endpointId === id)?.answered,
      );
    expect(attemptsAt(steady!)).toEqual(Array.from({ length: EVENTS }, () => 1));
    expect(attemptsAt(refusing!)).toEqual(Array.from({ length: EVENTS }, () => 1 + REFUSED));
    const retried = [...verdict.finals.keys()].map((id) => `delivery/${id}/${refusing!.id}`);
    // Temporal's lists are a moment behind.
    await eventually(
      () => countExecutions(topology.temporal.address, tenant.accountId),
      (executions) => retried.every((workflowId) => executions.get(workflowId) === 1),
    );
    await tenant.close();
  });

  it('list executions without an entry for every search attribute that they lack', async () => {
    const tenant = await openTenant(topology);
    await inLanes(Array.from({ length: LISTED_EVENTS }), LANES, (_, index) => tenant.send(index));
    await tenant.settle(SETTLE_MS);
    await tenant.close();

    // Temporal's lists are a moment behind.
    const filled = await eventually(
      async () => (await topology.postgresql.psql('temporal_visibility', FILLED_INDEXES)).split('\n'),
      ({ length }) => length >= SEARCH_ATTRIBUTES.length,
    );
    // Temporal chooses the column of each attribute.
    expect(filled).toEqual(SEARCH_ATTRIBUTES.map(() => expect.stringMatching(/^by_keyword_\d+$/)));
  });

  it('lose nothing when a worker, an API, the primary and the Temporal server go away in load', async () => {
    const tenant = await openTenant(topology);
    let serial = 0;
    const sending: Promise<void>[] = [];
    const pace = setInterval(() => sending.push(tenant.send((serial += 1))), 1_000 / EVENTS_PER_SECOND);
    const goesOn = async (): Promise<void> => {
      const before = tenant.acknowledged();
      await eventually(tenant.acknowledged, (count) => count >= before + BETWEEN_FAULTS);
    };
    const kills: Kill[] = [];
    const [api, worker] = [topology.apis[0]!, topology.workers[0]!];
    try {
      await goesOn();
      for (const role of [worker, api]) {
        kills.push(await kill(topology, [role]));
        await goesOn();
        await role.start();
      }
      await topology.replicaSet.deposePrimary();
      await goesOn();
      await topology.temporal.stop();
      await goesOn();
      await topology.temporal.start();
      await goesOn();
    } finally {
      clearInterval(pace);
    }
    await Promise.all(sending);

    const verdict = await tenant.settle(SETTLE_MS);
    const checks = createChecks();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict, REFUSED);
    holdRepeatsInFlight(checks, verdict, tenant, kills);
    const { figures, failures } = checks.outcome();
    onProgress(JSON.stringify(figures));
    expect(failures).toEqual([]);
    expect(verdict.acknowledged).toBe(serial);
    await tenant.close();
  });
});
