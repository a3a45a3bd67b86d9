"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addUsageCommands = addUsageCommands;
const list_usage_1 = require("../keys/list-usage");
/** `everpost usage <account>` */
function addUsageCommands(cli, { add, run }) {
    add(cli, 'usage', "an account's calls of the cost estimator, by day, key and operation")
        .argument('<account>', 'account id')
        .option('--days <days>', 'how many days, today included', '30')
        .action(run(async (deps, { days }, accountId) => {
        const records = await (0, list_usage_1.listUsage)(deps, { accountId, days: Number(days) });
        return records.map(({ day, key_id, product, operation, calls }) => ({
            day,
            key_id,
            product,
            operation,
            calls,
        }));
    }));
}
//# sourceMappingURL=usage-commands.js.map