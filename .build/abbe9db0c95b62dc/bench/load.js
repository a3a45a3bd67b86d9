"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startLoad = startLoad;
const node_child_process_1 = require("node:child_process");
const node_path_1 = require("node:path");
const child_1 = require("./child");
function startLoad(target) {
    const child = (0, node_child_process_1.fork)((0, node_path_1.join)(__dirname, 'load-process.js'), [JSON.stringify(target)]);
    const send = async (task) => {
        const { ingested } = await (0, child_1.ask)(child, task, 'ingested');
        return ingested;
    };
    return {
        pid: child.pid,
        burst: (count, concurrency) => send({ kind: 'burst', count, concurrency }),
        openLoop: (perSecond, seconds) => send({ kind: 'open loop', perSecond, seconds }),
        close: () => void child.kill('SIGKILL'),
    };
}
//# sourceMappingURL=load.js.map