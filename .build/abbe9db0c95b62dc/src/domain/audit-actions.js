"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.BY_SYSTEM = exports.BY_COMMAND_LINE = exports.CLI_ACTOR = exports.AUDIT_ACTIONS = void 0;
exports.actorOf = actorOf;
/** What the audit log knows: the noun, and what happened to it. */
exports.AUDIT_ACTIONS = [
    'account.created',
    'account.tier_changed',
    'account.suspended',
    'account.resumed',
    'account.deletion_started',
    'account.deleted',
    'user.created',
    'user.setup_link_created',
    'session.started',
    'session.refused',
    'session.ended',
    'session.revoked',
    'password.changed',
    'password.reset',
    'key.created',
    'key.revoked',
    'endpoint.created',
    'endpoint.changed',
    'endpoint.deleted',
    'endpoint.paused',
    'endpoint.resumed',
    'endpoint.disabled',
    'endpoint.tested',
    'endpoint.challenged',
    'endpoint.recovered',
    'secret.revealed',
    'secret.rotated',
    'secret.activated',
    'secrets.resealed',
    'event.replayed',
    'delivery.retried',
    'delivery.cancelled',
    'delivery.replayed',
    'replay.started',
    'replay.cancelled',
    'audit.read',
    'accounts.read',
];
/** The operator at the command line. */
exports.CLI_ACTOR = { type: 'cli', id: null, name: 'command line' };
/** A user as the one who does something. */
function actorOf({ _id: id, email: name }) {
    return { type: 'user', id, name };
}
/** Everpost, by itself: it disables an endpoint that is gone, and ends a rotation after its time. */
const SYSTEM_ACTOR = { type: 'system', id: null, name: 'Everpost' };
exports.BY_COMMAND_LINE = { actor: exports.CLI_ACTOR, address: null };
exports.BY_SYSTEM = { actor: SYSTEM_ACTOR, address: null };
//# sourceMappingURL=audit-actions.js.map