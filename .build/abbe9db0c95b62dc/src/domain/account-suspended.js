"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.accountSuspended = accountSuspended;
const errors_1 = require("./errors");
/** What whoever acts for a suspended account is answered, in the API and in the dashboard. */
function accountSuspended() {
    return new errors_1.ForbiddenError('The operator of this installation suspended this account. Nothing is accepted, and deliveries wait. Ask the operator.', 'account_suspended');
}
//# sourceMappingURL=account-suspended.js.map