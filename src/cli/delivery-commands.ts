import type { Command } from 'commander';
import { cancelDelivery } from '../deliveries/cancel-delivery';
import type { FoundDelivery } from '../deliveries/find-deliveries';
import { replayDelivery } from '../deliveries/replay-delivery';
import { retryDelivery } from '../deliveries/retry-delivery';
import { createExecutions } from '../engine/executions';
import { placeOf, type NewPlace } from '../engine/place';
import { createDelivery } from '../events/create-delivery';
import { type AuditAction } from '../domain/audit-actions';
import type { BodyShape } from '../domain/body-form';
import { deliveryId } from '../domain/delivery-contract';
import { UNCOUNTED } from '../limits/delivery-budget';
import { createLogger } from '../platform/logger';
import { sleep } from '../platform/sleep';
import { createTemporalLink, type TemporalLink } from '../platform/temporal';
import type { CliDeps, CommandLine } from './command-line';
import { askDataDir } from './data-dir';

/** The caller of an operation: the operator acts for the account of the delivery. */
interface Caller {
  readonly accountId: string;
  readonly now: Date;
  /** The account's default shape of bodies; undefined for the envelope. */
  readonly defaultBody: BodyShape | undefined;
}

type Operation = (deps: ReturnType<typeof partsOf>, caller: Caller, id: string) => Promise<FoundDelivery>;

const OPERATIONS: readonly { name: string; about: string; audit: AuditAction; work: Operation }[] = [
  {
    name: 'retry',
    about: 'make the next attempt of an unfinished delivery now',
    audit: 'delivery.retried',
    work: retryDelivery,
  },
  {
    name: 'cancel',
    about: 'cancel an unfinished delivery',
    audit: 'delivery.cancelled',
    work: (deps, { accountId }, id) => cancelDelivery(deps, accountId, id),
  },
  {
    name: 'replay',
    about: 'send a finished delivery again',
    audit: 'delivery.replayed',
    work: replayDelivery,
  },
  {
    name: 'create',
    about: 'send an event to an endpoint that did not get it',
    audit: 'delivery.created',
    work: (deps, caller, id) => {
      const [eventId, endpointId = ''] = id.split('.');
      return createDelivery(deps, caller, { eventId: Number(eventId), endpointId });
    },
  },
];

/** `everpost delivery …` */
export function addDeliveryCommands(cli: Command, { add, run }: CommandLine): void {
  const delivery = cli.command('delivery').description('single deliveries');
  for (const { name, about, audit, work } of OPERATIONS) {
    add(delivery, name, about)
      .requiredOption('--id <delivery>', 'delivery id: <event_id>.<endpoint_id>')
      .action(
        run(async (deps, { id }) =>
          withTemporal(deps, async (temporal) => {
            const parts = partsOf(deps, temporal);
            const event = await parts.events.find(Number.parseInt(id!, 10) || 0);
            const accountId = event?.account_id ?? '';
            const [now, account] = await Promise.all([deps.dispatch.now(), deps.accounts.find(accountId)]);
            const found = await work(parts, { accountId, now, defaultBody: account?.defaults?.body }, id!);
            await deps.audit.record({ ...deps.by, accountId, action: audit, object: id! });
            return presentRow(found);
          }),
        ),
      );
  }
}

function partsOf(deps: CliDeps, temporal: TemporalLink) {
  return {
    ...deps,
    executions: createExecutions({
      temporal,
      deliveries: deps.deliveries,
      logger: createLogger('silent'),
      schedule: deps.config.delivery.schedule,
      eager: false,
    }),
    // The installation's sweeper starts the run within seconds.
    dispatcher: { dispatch: () => false, accept: () => undefined, placeFor: placeWithoutProcess(deps) },
    // An account's budget does not bind the operator.
    budget: UNCOUNTED,
    logger: createLogger('silent'),
  };
}

/** No process has claimed what a command makes due, and a command knows nothing of endpoints that hang. */
function placeWithoutProcess({ config }: CliDeps) {
  const deps = { capacity: { hangs: () => false }, schedule: config.delivery.schedule, owner: '', leaseMs: 0 };
  return (destination: NewPlace) => placeOf(deps, destination, false);
}

/** Longer than a connection needs. Without a connection, a retry reports that, and everything else still works. */
const CONNECT_PATIENCE_MS = 3_000;

async function withTemporal<T>({ config }: CliDeps, work: (temporal: TemporalLink) => Promise<T>): Promise<T> {
  const address = config.temporal.address ?? (await embeddedAddress(config));
  const temporal = createTemporalLink({ ...config.temporal, address }, createLogger('silent'));
  const timer = new AbortController();
  try {
    await Promise.race([temporal.connected(), sleep(CONNECT_PATIENCE_MS, timer.signal)]);
    return await work(temporal);
  } finally {
    timer.abort();
    await temporal.close();
  }
}

/** The server of the data folder's running stack; if that does not answer, the one on the configured port. */
async function embeddedAddress({ dataDir, temporal }: CliDeps['config']): Promise<string> {
  const stack = await askDataDir(dataDir);
  return stack?.temporalAddress ?? `127.0.0.1:${temporal.port}`;
}

function presentRow({ destination, ref }: FoundDelivery) {
  return {
    id: deliveryId(ref),
    state: destination.state,
    run: destination.run,
    attempt_count: destination.attempt_count,
    next_attempt_at: destination.next_attempt_at?.toISOString() ?? null,
  };
}
