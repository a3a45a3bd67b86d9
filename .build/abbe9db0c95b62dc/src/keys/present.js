"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.presentKey = presentKey;
const scopes_1 = require("../domain/scopes");
/** A key as lists show it: never the key itself. */
function presentKey(key) {
    return {
        id: key._id,
        display: key.display,
        product: key.product,
        label: key.label,
        account_id: key.account_id,
        scopes: (0, scopes_1.scopesOf)(key),
        created_at: key.created_at.toISOString(),
        expires_at: key.expires_at?.toISOString() ?? null,
        last_used_at: key.last_used_at?.toISOString() ?? null,
        revoked_at: key.revoked_at?.toISOString() ?? null,
    };
}
//# sourceMappingURL=present.js.map