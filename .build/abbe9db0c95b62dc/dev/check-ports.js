"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.checkPorts = checkPorts;
exports.portTaken = portTaken;
const free_port_1 = require("./free-port");
const local_stack_error_1 = require("./local-stack-error");
/**
 * Makes sure that every port the stack wants can be had, before anything is started.
 *
 * @throws LocalStackError naming the setting to change
 */
async function checkPorts(config) {
    const wanted = [
        ['PORT', 'the API', config.port, config.host],
        ...(config.mongodb.uri === undefined
            ? [['MONGODB_PORT', 'MongoDB', config.mongodb.port]]
            : []),
        ...(config.temporal.address === undefined
            ? [
                ['TEMPORAL_PORT', 'Temporal', config.temporal.port],
                ['TEMPORAL_UI_PORT', "Temporal's Web UI", config.temporal.uiPort],
            ]
            : []),
    ];
    const seen = new Map();
    for (const [setting, what, port, host] of wanted) {
        if (port === 0)
            continue;
        const other = seen.get(port);
        if (other)
            throw new local_stack_error_1.LocalStackError(`${setting} and ${other} are both ${port}. Set one of them to another port.`);
        seen.set(port, setting);
        if (!(await (0, free_port_1.isPortFree)(port, host)))
            throw portTaken(port, what, setting);
    }
}
/** One line for a port that somebody else has. */
function portTaken(port, what, setting) {
    return new local_stack_error_1.LocalStackError(`Port ${port}, meant for ${what}, is taken. Set ${setting} to a free one.`);
}
//# sourceMappingURL=check-ports.js.map