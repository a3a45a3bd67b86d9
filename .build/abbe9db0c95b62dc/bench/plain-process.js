"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
const node_https_1 = require("node:https");
const koa_1 = __importDefault(require("koa"));
const raw_body_1 = __importDefault(require("raw-body"));
const signature_1 = require("../src/sender/signature");
// The price of durability: checks a key in memory, answers 202, signs and posts. No database, no engine, no retry.
process.once('message', ({ receiverUrl, ca, key }) => {
    const agent = new node_https_1.Agent({ keepAlive: true, maxSockets: 64, ca });
    const keys = new Set([`Bearer ${key}`]);
    const secrets = { current: (0, signature_1.generateSigningSecret)() };
    let lastId = 0;
    const app = new koa_1.default();
    app.use(async (context) => {
        if (!keys.has(context.get('authorization')))
            return context.throw(401);
        const { type, data } = JSON.parse(await (0, raw_body_1.default)(context.req, 'utf8'));
        const id = (lastId += 1);
        const timestampSeconds = Math.floor(Date.now() / 1_000);
        const body = (0, signature_1.composeBody)({ id, type, data: Buffer.from(JSON.stringify(data)), timestamp: timestampSeconds });
        const signed = (0, signature_1.signDelivery)({ secrets, body, eventId: id, eventType: type, timestampSeconds });
        const headers = { ...signed, 'Content-Length': body.length };
        const outgoing = (0, node_https_1.request)(receiverUrl, { method: 'POST', agent, headers }, (answer) => void answer.resume());
        outgoing.once('error', (error) => console.error(error.message));
        outgoing.end(body);
        context.status = 202;
        context.body = { id };
    });
    const server = app.listen(0, '127.0.0.1', () => {
        process.send?.({ kind: 'listening', port: server.address().port });
    });
});
process.on('disconnect', () => process.exit(0));
//# sourceMappingURL=plain-process.js.map