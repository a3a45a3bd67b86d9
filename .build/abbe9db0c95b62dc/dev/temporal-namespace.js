"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.prepareNamespace = prepareNamespace;
exports.registerSearchAttributes = registerSearchAttributes;
const client_1 = require("@temporalio/client");
const proto_1 = require("@temporalio/proto");
const delivery_contract_1 = require("../src/domain/delivery-contract");
const ANSWER_TIMEOUT_MS = 3_000;
/**
 * Makes sure that the namespace can be used: it exists, keeps finished deliveries as long as it is told, and knows our
 * search attributes (also when a newer version of Everpost brings one that the database does not have). Safe to repeat.
 *
 * @throws Error while the server does not answer or the namespace does not exist yet
 */
async function prepareNamespace(address, namespace, retentionMs) {
    const retentionSeconds = retentionMs && Math.ceil(retentionMs / 1_000);
    const connection = await client_1.Connection.connect({ address, connectTimeout: ANSWER_TIMEOUT_MS });
    try {
        await connection.withDeadline(Date.now() + 2 * ANSWER_TIMEOUT_MS, async () => {
            const { config } = await connection.workflowService.describeNamespace({ namespace });
            if (retentionSeconds && Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) !== retentionSeconds) {
                const workflowExecutionRetentionTtl = { seconds: retentionSeconds };
                await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
            }
            await registerSearchAttributes(connection, namespace);
        });
    }
    finally {
        await connection.close();
    }
}
/** Adds those of our search attributes that a namespace does not know. */
async function registerSearchAttributes(connection, namespace) {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = delivery_contract_1.SEARCH_ATTRIBUTES.filter((name) => !(name in (customAttributes ?? {})));
    if (missing.length === 0)
        return;
    const keyword = proto_1.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, keyword]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}
//# sourceMappingURL=temporal-namespace.js.map