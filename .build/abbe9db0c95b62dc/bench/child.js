"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ask = ask;
exports.pause = pause;
/** Sends a message and waits for the answer of the given kind. */
function ask(child, message, kind) {
    return new Promise((resolve, reject) => {
        const onMessage = (answer) => {
            if (answer.kind !== kind)
                return;
            child.off('message', onMessage);
            child.off('exit', onExit);
            resolve(answer);
        };
        const onExit = (code) => reject(new Error(`a process of the benchmark ended with code ${code}`));
        child.on('message', onMessage);
        child.once('exit', onExit);
        child.send(message);
    });
}
function pause(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
}
//# sourceMappingURL=child.js.map