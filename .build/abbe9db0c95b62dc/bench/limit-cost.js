"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.measureLimitCost = measureLimitCost;
const node_child_process_1 = require("node:child_process");
const node_http_1 = require("node:http");
const node_path_1 = require("node:path");
const child_1 = require("./child");
const statistics_1 = require("./statistics");
const CONCURRENCY = 32;
const ROUNDS = 3;
/** Measures what authentication, the limit check and its headers cost a request. */
async function measureLimitCost(servers, requests) {
    const child = (0, node_child_process_1.fork)((0, node_path_1.join)(__dirname, 'limit-cost-process.js'));
    servers.reaper.watch(child.pid);
    const { port, keys } = await (0, child_1.ask)(child, { mongodbUri: servers.mongod.uri }, 'listening');
    const url = `http://127.0.0.1:${port}`;
    const rates = { without: [], one: [], thousand: [] };
    // One unmeasured round first: connections, key cache, code.
    for (let round = 0; round <= ROUNDS; round += 1) {
        const without = await rateOf(`${url}/bare`, requests, () => undefined);
        const one = await rateOf(`${url}/limited`, requests, () => keys[0]);
        const thousand = await rateOf(`${url}/limited`, requests, (index) => keys[index % keys.length]);
        if (round === 0)
            continue;
        rates.without.push(without);
        rates.one.push(one);
        rates.thousand.push(thousand);
    }
    child.kill('SIGKILL');
    return {
        without: (0, statistics_1.rounded)((0, statistics_1.percentile)(rates.without, 0.5), 0),
        one_account: (0, statistics_1.rounded)((0, statistics_1.percentile)(rates.one, 0.5), 0),
        thousand_accounts: (0, statistics_1.rounded)((0, statistics_1.percentile)(rates.thousand, 0.5), 0),
    };
}
async function rateOf(url, requests, keyOf) {
    const agent = new node_http_1.Agent({ keepAlive: true, maxSockets: CONCURRENCY });
    let next = 0;
    const lane = async () => {
        for (let index = next++; index < requests; index = next++)
            await call(url, agent, keyOf(index));
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    const seconds = (performance.now() - startedAt) / 1_000;
    agent.destroy();
    return requests / seconds;
}
function call(url, agent, key) {
    return new Promise((resolve, reject) => {
        const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
        (0, node_http_1.get)(url, { agent, headers }, (response) => {
            response.resume();
            response.on('end', () => {
                if (response.statusCode === 200)
                    resolve();
                else
                    reject(new Error(`the limit benchmark got ${response.statusCode}`));
            });
        }).once('error', reject);
    });
}
//# sourceMappingURL=limit-cost.js.map