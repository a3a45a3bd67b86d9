"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addAuditCommands = addAuditCommands;
const read_audit_1 = require("../accounts/read-audit");
const audit_actions_1 = require("../domain/audit-actions");
const errors_1 = require("../domain/errors");
const command_line_1 = require("./command-line");
/** `everpost audit …` */
function addAuditCommands(cli, { add, run }, print) {
    const audit = cli.command('audit').description('who changed what');
    const filtered = (command) => command
        .requiredOption('--account <account>', 'account id, or `none` for entries that belong to no account')
        .option('--actor <actor>', 'id or name of who did it')
        .option('--action <action>', 'such as endpoint.changed')
        .option('--object <object>', 'id of what it happened to')
        .option('--since <time>', 'only from this time, for example 2026-11-21T06:00:00Z')
        .option('--until <time>', 'only until this time');
    filtered(add(audit, 'list', "list an account's newest entries"))
        .option('--limit <limit>', 'how many', '100')
        .action(run(async (deps, options) => {
        const filter = filterOf(options);
        const entries = await deps.audit.page({ ...filter, limit: wholeNumber(options['limit']) });
        await (0, read_audit_1.noteRead)(deps, filter.accountId, audit_actions_1.BY_COMMAND_LINE);
        return entries.map(presentRow);
    }));
    filtered(audit.command('export').description('print the log as CSV, the newest entry first')).action(run(async (deps, options) => {
        const filter = filterOf(options);
        await (0, read_audit_1.noteRead)(deps, filter.accountId, audit_actions_1.BY_COMMAND_LINE);
        for await (const lines of (0, read_audit_1.exportAudit)(deps, filter))
            print(lines.replace(/\r\n$/, ''));
        return undefined;
    }));
}
function filterOf({ account, actor, action, object, since, until }) {
    if (action !== undefined && !audit_actions_1.AUDIT_ACTIONS.includes(action)) {
        throw new errors_1.InvalidRequestError(`There is no action "${action}". Actions: ${audit_actions_1.AUDIT_ACTIONS.join(', ')}.`);
    }
    return {
        accountId: (0, read_audit_1.accountOfLog)(account),
        actor,
        object,
        action: action,
        after: since === undefined ? undefined : (0, command_line_1.readTime)('--since', since),
        before: until === undefined ? undefined : (0, command_line_1.readTime)('--until', until),
    };
}
function wholeNumber(text) {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1)
        return number;
    throw new errors_1.InvalidRequestError('--limit must be a whole number of at least 1.');
}
function presentRow(entry) {
    const { at, actor, action, object, address, detail = null } = entry;
    const changes = (0, read_audit_1.describeChanges)(entry);
    return { at: at.toISOString(), actor: actor.name, action, object, address, detail, changes };
}
//# sourceMappingURL=audit-commands.js.map