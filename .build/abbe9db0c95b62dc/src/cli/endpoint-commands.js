"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addEndpointCommands = addEndpointCommands;
const audit_actions_1 = require("../domain/audit-actions");
const find_endpoint_1 = require("../endpoints/find-endpoint");
const pause_endpoint_1 = require("../endpoints/pause-endpoint");
const OPERATIONS = [
    { name: 'pause', about: "hold an endpoint's deliveries", work: pause_endpoint_1.pauseEndpoint },
    { name: 'resume', about: "send an endpoint's held deliveries, the oldest first", work: pause_endpoint_1.resumeEndpoint },
];
/** `everpost endpoint …` */
function addEndpointCommands(cli, { add, run }) {
    const endpoint = cli.command('endpoint').description('destinations of deliveries');
    add(endpoint, 'list', "list an account's endpoints, newest first")
        .requiredOption('--account <account>', 'account id')
        .action(run(async (deps, { account }) => (await deps.endpoints.listByAccount(account)).map(presentRow)));
    for (const { name, about, work } of OPERATIONS) {
        add(endpoint, name, about)
            .requiredOption('--id <endpoint>', 'endpoint id')
            .action(run(async (deps, { id }) => {
            const found = await deps.endpoints.find(id);
            if (!found)
                throw (0, find_endpoint_1.endpointNotFound)();
            return presentRow(await work(deps, { ...audit_actions_1.BY_COMMAND_LINE, accountId: found.account_id, id: id }));
        }));
    }
}
function presentRow({ _id, account_id: accountId, status, url, events, description }) {
    return { id: _id, account_id: accountId, status, events: events.join(' '), url, description };
}
//# sourceMappingURL=endpoint-commands.js.map