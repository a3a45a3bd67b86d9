"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const arrivals_1 = require("./arrivals");
const child_1 = require("./child");
const statistics_1 = require("./statistics");
const system_1 = require("./system");
/** How loud the neighbour is, and how long it is listened to. */
const PROFILES = {
    // Long enough to see time-outs, which take 30 s.
    standard: { receivers: 10, events: 1_000, concurrency: 16, perSecond: 10, seconds: 40 },
    million: { receivers: 10, events: 100_000, concurrency: 16, perSecond: 10, seconds: 40 },
    quick: { receivers: 6, events: 200, concurrency: 8, perSecond: 10, seconds: 8 },
};
const WARM_UP = 50;
const SETTLE_MS = 1_000;
/**
 * What a tenant with thousands of deliveries to receivers that hang costs another tenant: the time from ingest to arrival
 * of a steady trickle of events, alone, while the neighbour's events come in, and while they are pending.
 */
async function main() {
    const asJson = process.argv.includes('--json');
    const { million, quick, standard } = PROFILES;
    const profile = process.argv.includes('million') ? million : process.argv.includes('quick') ? quick : standard;
    const { receivers, events, concurrency } = profile;
    const say = (line) => void process.stderr.write(`${line}\n`);
    const system = await (0, system_1.startSystem)({ say, hanging: receivers });
    try {
        await system.load.burst(WARM_UP, 8);
        await (0, child_1.pause)(SETTLE_MS);
        const trickle = `${profile.perSecond} events/s for ${profile.seconds} s`;
        say(`alone: ${trickle}`);
        const count = profile.perSecond * profile.seconds;
        const alone = await measure(system, profile, WARM_UP);
        const noisy = await system.addNoisyTenant();
        say(`the neighbour sends ${events} events to ${receivers} receivers that hang; meanwhile ${trickle}`);
        const noise = noisy.burst(events, concurrency);
        const during = await measure(system, profile, WARM_UP + count);
        const sent = await noise;
        say(`${events * receivers} deliveries of the neighbour are pending; ${trickle}`);
        const beside = await measure(system, profile, WARM_UP + 2 * count);
        const noiseSeconds = (Math.max(...sent.map(({ sentAtMs, latencyMs }) => sentAtMs + latencyMs)) -
            Math.min(...sent.map(({ sentAtMs }) => sentAtMs))) /
            1_000;
        const result = {
            noisy_deliveries: events * receivers,
            noisy_ingest_s: (0, statistics_1.rounded)(noiseSeconds),
            alone_ms: alone,
            while_noise_comes_in_ms: during,
            while_noise_is_pending_ms: beside,
        };
        process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : report(result));
    }
    finally {
        await system.close();
    }
}
/** Sends a trickle of the healthy tenant's events, after `before` others. @returns milliseconds from ingest to arrival */
async function measure(system, profile, before) {
    const ingested = await system.load.openLoop(profile.perSecond, profile.seconds);
    const lags = (0, arrivals_1.lagsOf)(ingested, await (0, arrivals_1.arrivalsOf)(system.receiver, before + ingested.length));
    return { ...(0, statistics_1.quantiles)(lags), max: (0, statistics_1.rounded)(Math.max(...lags)) };
}
function report(result) {
    const line = (name, { p50, p99, max }) => `${name.padEnd(42)} p50 ${p50} ms · p99 ${p99} ms · max ${max} ms\n`;
    const noise = `${result.noisy_deliveries} hanging deliveries of a neighbour`;
    return (`A healthy tenant, from ingest to arrival (the neighbour's ingest took ${result.noisy_ingest_s} s)\n` +
        line('alone', result.alone_ms) +
        line(`while ${noise} come in`, result.while_noise_comes_in_ms) +
        line(`while they are pending`, result.while_noise_is_pending_ms));
}
main().catch((error) => {
    console.error(error);
    process.exit(1);
});
//# sourceMappingURL=neighbours.js.map