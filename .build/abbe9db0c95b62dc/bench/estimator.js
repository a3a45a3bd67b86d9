"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const node_child_process_1 = require("node:child_process");
const node_crypto_1 = require("node:crypto");
const promises_1 = require("node:fs/promises");
const node_os_1 = require("node:os");
const node_path_1 = require("node:path");
const config_1 = require("../src/config");
const find_server_1 = require("../dev/find-server");
const mongod_1 = require("../dev/mongod");
const reaper_1 = require("../dev/reaper");
const child_1 = require("./child");
const raw_load_1 = require("./raw-load");
const statistics_1 = require("./statistics");
const ROUNDS = 7;
const ROUND_MS = 1_000;
const WARM_UP_MS = 2_000;
/** 20 items of all kinds of units, as they come from the catalog. */
async function chooseItems(url) {
    const answer = (await (await fetch(url)).json());
    return answer.services
        .filter((_, index) => index % 10 === 0)
        .slice(0, 20)
        .map(({ provider, service, instance }, index) => ({
        provider,
        service,
        instance,
        quantity: index % 3 === 0 ? index + 0.5 : index + 1,
        ...(index % 4 === 0 && { hoursPerMonth: 200 }),
        ...(index % 5 === 0 && { gbPerMonth: 512.25 }),
    }));
}
function requestText(method, body = '') {
    const head = [`${method} /api/cost-estimator HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: */*'];
    if (body !== '')
        head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
    return `${head.join('\r\n')}\r\n\r\n${body}`;
}
async function measure({ child, url }, request, durationMs) {
    const cpu = async () => (await (0, child_1.ask)(child, { kind: 'cpu' }, 'cpu')).microseconds;
    const before = await cpu();
    const startedAt = performance.now();
    const perSecond = await (0, raw_load_1.rateOf)(url, request, durationMs);
    const answers = perSecond * ((performance.now() - startedAt) / 1_000);
    return { perSecond, microseconds: ((await cpu()) - before) / answers };
}
/** Measures both servers in turn. @returns medians, and the median of the rounds' ratios */
async function compare(everpost, bare, { request }) {
    for (const target of [everpost, bare])
        await measure(target, request, WARM_UP_MS);
    const samples = [];
    for (let round = 0; round < ROUNDS; round += 1) {
        // Who is first changes, so that a machine that slows down slows both.
        const order = round % 2 === 0 ? [everpost, bare] : [bare, everpost];
        const first = await measure(order[0], request, ROUND_MS);
        const second = await measure(order[1], request, ROUND_MS);
        samples.push(round % 2 === 0 ? { everpost: first, bare: second } : { everpost: second, bare: first });
    }
    const median = (of) => (0, statistics_1.percentile)(samples.map(of), 0.5);
    return {
        per_s: (0, statistics_1.rounded)(median((sample) => sample.everpost.perSecond), 0),
        bare_per_s: (0, statistics_1.rounded)(median((sample) => sample.bare.perSecond), 0),
        ratio: (0, statistics_1.rounded)(median((sample) => sample.everpost.perSecond / sample.bare.perSecond), 2),
        cpu_us: (0, statistics_1.rounded)(median((sample) => sample.everpost.microseconds)),
        bare_cpu_us: (0, statistics_1.rounded)(median((sample) => sample.bare.microseconds)),
        cpu_ratio: (0, statistics_1.rounded)(median((sample) => sample.bare.microseconds / sample.everpost.microseconds), 2),
    };
}
async function main() {
    const say = (line) => void process.stderr.write(`${line}\n`);
    const { mongodb, cacheDir } = (0, config_1.loadConfig)();
    const folder = (0, node_path_1.join)((0, node_os_1.tmpdir)(), `everpost-${(0, node_crypto_1.randomBytes)(6).toString('hex')}`);
    await (0, promises_1.mkdir)(folder, { mode: 0o700 });
    const reaper = (0, reaper_1.startReaper)(folder);
    const binary = await (0, find_server_1.findServer)('mongod', { configuredPath: mongodb.binary, cacheDir, onProgress: say });
    const onSpawn = ({ pid }) => reaper.watch(pid);
    const mongod = await (0, mongod_1.startMongod)({ binary, dataDir: (0, node_path_1.join)(folder, 'mongodb'), port: 0, onProgress: say, onSpawn });
    const children = [];
    const start = async (task) => {
        const child = (0, node_child_process_1.fork)((0, node_path_1.join)(__dirname, 'estimator-process.js'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
        children.push(child);
        reaper.watch(child.pid);
        const { url } = await (0, child_1.ask)(child, task, 'listening');
        return { child, url: `${url}/api/cost-estimator` };
    };
    try {
        const everpost = await start({ kind: 'everpost', mongodbUri: mongod.uri });
        while ((await fetch(everpost.url)).status !== 200)
            await (0, child_1.pause)(100);
        const body = JSON.stringify({ items: await chooseItems(everpost.url) });
        const catalog = await (await fetch(everpost.url)).text();
        const headers = { 'Content-Type': 'application/json' };
        const estimate = await (await fetch(everpost.url, { method: 'POST', headers, body })).text();
        const bare = await start({ kind: 'bare', catalog, estimate });
        const cases = [
            { name: 'get_216_entries', request: requestText('GET') },
            { name: 'post_20_items', request: requestText('POST', body) },
        ];
        const result = {};
        for (const one of cases) {
            say(`${one.name}: ${ROUNDS} rounds of ${ROUND_MS / 1_000} s, Everpost and bare Koa in turn`);
            result[one.name] = await compare(everpost, bare, one);
        }
        process.stdout.write(`${JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2)}\n`);
    }
    finally {
        for (const child of children)
            child.kill('SIGKILL');
        await mongod.kill();
        await (0, promises_1.rm)(folder, { recursive: true, force: true });
        reaper.dismiss();
    }
}
main().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
});
//# sourceMappingURL=estimator.js.map