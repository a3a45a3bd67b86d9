"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ROTATION_MS = void 0;
exports.revealSecret = revealSecret;
exports.rotateSecret = rotateSecret;
exports.activateSecret = activateSecret;
const errors_1 = require("../domain/errors");
const change_endpoint_1 = require("./change-endpoint");
const find_endpoint_1 = require("./find-endpoint");
/** How long both secrets are valid unless somebody activates the next one earlier (decisions, section 4). */
exports.ROTATION_MS = 24 * 3_600_000;
/**
 * Shows the signing secrets.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
async function revealSecret(deps, { accountId, id }) {
    return secretsOf(deps, await (0, find_endpoint_1.findEndpoint)(deps, accountId, id));
}
/**
 * Begins a rotation: from the next attempt on, deliveries are signed with both secrets, so that receivers can change
 * over at any time until the next one is activated.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws ConflictError while a rotation is under way: receivers may rely on its secret already
 */
async function rotateSecret(deps, which) {
    const next = deps.generateSecret();
    const endpoint = await (0, change_endpoint_1.applyChange)(deps, which, 'secret.rotated', ({ _id, next_secret: underWay }) => {
        if (underWay) {
            throw new errors_1.ConflictError('A rotation is under way. Activate its secret first, or wait until that happens by itself.', 'rotation_under_way');
        }
        return { set: { next_secret: deps.secretBox.seal(next, _id) }, stamp: 'next_secret_at' };
    });
    return secretsOf(deps, endpoint);
}
/**
 * Ends a rotation: from the next attempt on, the next secret is the only one.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws ConflictError when no rotation is under way
 */
async function activateSecret(deps, which) {
    const endpoint = await (0, change_endpoint_1.applyChange)(deps, which, 'secret.activated', ({ next_secret: next }) => {
        if (!next) {
            throw new errors_1.ConflictError('There is no next secret to activate. Begin a rotation with POST …/secret/rotate.', 'no_rotation');
        }
        return { set: { secret: next }, unset: ['next_secret', 'next_secret_at'] };
    });
    return secretsOf(deps, endpoint);
}
function secretsOf({ secretBox }, endpoint) {
    const { _id, secret, next_secret: next, next_secret_at: since } = endpoint;
    return {
        secret: secretBox.open(secret, _id),
        nextSecret: next ? secretBox.open(next, _id) : null,
        activatesAt: since ? new Date(since.getTime() + exports.ROTATION_MS) : null,
    };
}
//# sourceMappingURL=rotate-secret.js.map