"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addDeliveryCommands = addDeliveryCommands;
const cancel_delivery_1 = require("../deliveries/cancel-delivery");
const replay_delivery_1 = require("../deliveries/replay-delivery");
const retry_delivery_1 = require("../deliveries/retry-delivery");
const signal_delivery_1 = require("../dispatch/signal-delivery");
const start_delivery_1 = require("../dispatch/start-delivery");
const audit_actions_1 = require("../domain/audit-actions");
const delivery_contract_1 = require("../domain/delivery-contract");
const delivery_budget_1 = require("../limits/delivery-budget");
const logger_1 = require("../platform/logger");
const sleep_1 = require("../platform/sleep");
const temporal_1 = require("../platform/temporal");
const data_dir_1 = require("./data-dir");
const OPERATIONS = [
    {
        name: 'retry',
        about: 'make the next attempt of an unfinished delivery now',
        audit: 'delivery.retried',
        work: retry_delivery_1.retryDelivery,
    },
    {
        name: 'cancel',
        about: 'cancel an unfinished delivery',
        audit: 'delivery.cancelled',
        work: (deps, { accountId }, id) => (0, cancel_delivery_1.cancelDelivery)(deps, accountId, id),
    },
    {
        name: 'replay',
        about: 'send a finished delivery again',
        audit: 'delivery.replayed',
        work: replay_delivery_1.replayDelivery,
    },
];
/** `everpost delivery …` */
function addDeliveryCommands(cli, { add, run }) {
    const delivery = cli.command('delivery').description('single deliveries');
    for (const { name, about, audit, work } of OPERATIONS) {
        add(delivery, name, about)
            .requiredOption('--id <delivery>', 'delivery id: <event_id>.<endpoint_id>')
            .action(run(async (deps, { id }) => withTemporal(deps, async (temporal) => {
            const parts = partsOf(deps, temporal);
            const event = await parts.events.find(Number.parseInt(id, 10) || 0);
            const accountId = event?.account_id ?? '';
            const now = await deps.dispatch.now();
            const found = await work(parts, { accountId, now }, id);
            await deps.audit.record({ ...audit_actions_1.BY_COMMAND_LINE, accountId, action: audit, object: id });
            return presentRow(found);
        })));
    }
}
function partsOf(deps, temporal) {
    return {
        ...deps,
        signals: (0, signal_delivery_1.createDeliverySignals)({ temporal }),
        starter: (0, start_delivery_1.createDeliveryStarter)({
            temporal,
            deliveries: deps.deliveries,
            schedule: deps.config.delivery.schedule,
            eager: false,
        }),
        // The installation's sweeper starts the run within seconds.
        dispatcher: { dispatch: () => false },
        // An account's budget does not bind the operator.
        budget: delivery_budget_1.UNCOUNTED,
        logger: (0, logger_1.createLogger)('silent'),
    };
}
/** Longer than a connection needs. Without one, a retry reports it and everything else is done anyway. */
const CONNECT_PATIENCE_MS = 3_000;
async function withTemporal({ config }, work) {
    const address = config.temporal.address ?? (await embeddedAddress(config));
    const temporal = (0, temporal_1.createTemporalLink)({ ...config.temporal, address }, (0, logger_1.createLogger)('silent'));
    const timer = new AbortController();
    try {
        await Promise.race([temporal.connected(), (0, sleep_1.sleep)(CONNECT_PATIENCE_MS, timer.signal)]);
        return await work(temporal);
    }
    finally {
        timer.abort();
        await temporal.close();
    }
}
/** The server of the data folder's running stack; should that not answer, the one on the configured port. */
async function embeddedAddress({ dataDir, temporal }) {
    const stack = await (0, data_dir_1.askDataDir)(dataDir);
    return stack?.temporalAddress ?? `127.0.0.1:${temporal.port}`;
}
function presentRow({ destination, ref }) {
    return {
        id: (0, delivery_contract_1.deliveryId)(ref),
        state: destination.state,
        run: destination.run,
        attempt_count: destination.attempt_count,
        next_attempt_at: destination.next_attempt_at?.toISOString() ?? null,
    };
}
//# sourceMappingURL=delivery-commands.js.map