"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.resealSecrets = resealSecrets;
exports.countKeys = countKeys;
const errors_1 = require("../domain/errors");
const secret_box_1 = require("../platform/secret-box");
const sealed_values_1 = require("./sealed-values");
/**
 * Seals everything that is sealed with the first key, so that the others can be retired. Safe beside processes that read and
 * write, and to be stopped and run again: each endpoint is changed in one write, unless somebody else changed it meanwhile.
 *
 * @returns each key of the box, in its order; one without values is needed no more
 * @throws UnprocessableError when something can't be opened, after all the rest is sealed anew: no key may be retired then
 */
async function resealSecrets({ sealed, secretBox }) {
    const resealed = createTally();
    for await (const endpoint of sealed.all()) {
        for (const keyId of await resealEndpoint({ sealed, secretBox }, endpoint))
            resealed.add(keyId);
    }
    return countKeys({ sealed, secretBox }, resealed);
}
/**
 * Counts what is sealed with which key, and tries whether it opens. Changes nothing.
 *
 * @returns each key of the box, in its order
 * @throws UnprocessableError when something can't be opened
 */
async function countKeys({ sealed, secretBox }, resealed = createTally()) {
    const values = createTally();
    const missing = createTally();
    const damaged = [];
    for await (const endpoint of sealed.all()) {
        for (const value of (0, sealed_values_1.sealedValuesOf)(endpoint)) {
            values.add(value.sealed.key_id);
            const problem = problemOf(secretBox, value);
            if (problem === 'missing')
                missing.add(value.sealed.key_id);
            if (problem === 'damaged')
                damaged.push(`${value.place} of ${endpoint._id}`);
        }
    }
    if (missing.size > 0 || damaged.length > 0)
        throw unopened(resealed.sum(), missing.counts(), damaged);
    return secretBox.keyIds.map((keyId) => ({ keyId, resealed: resealed.of(keyId), values: values.of(keyId) }));
}
/** @returns the ids of the keys whose values were replaced, one for each value */
async function resealEndpoint({ sealed, secretBox }, endpoint) {
    for (let current = endpoint; current; current = await sealed.find(current._id)) {
        const [first] = secretBox.keyIds;
        const stale = (0, sealed_values_1.sealedValuesOf)(current).filter((value) => value.sealed.key_id !== first && problemOf(secretBox, value) === undefined);
        if (stale.length === 0)
            return [];
        const anew = stale.map(({ place, sealed: value, context }) => [
            place,
            secretBox.seal(secretBox.open(value, context), context),
        ]);
        if (await sealed.replace(current, new Map(anew)))
            return stale.map(({ sealed: value }) => value.key_id);
    }
    return [];
}
function problemOf(secretBox, { sealed, context }) {
    try {
        secretBox.open(sealed, context);
        return undefined;
    }
    catch (error) {
        return error instanceof secret_box_1.MissingKeyError ? 'missing' : 'damaged';
    }
}
/** Most damaged values that the error names. */
const MOST_NAMED = 10;
function unopened(resealed, missing, damaged) {
    const lines = [
        `Some sealed values can't be opened, so no key may be retired. Values that were sealed anew: ${resealed}.`,
        ...missing.map(([keyId, count]) => `  ${count} with the key ${keyId}, which is not in ENCRYPTION_KEY: add it behind the others.`),
        ...damaged.slice(0, MOST_NAMED).map((what) => `  ${what}: its key is there and does not open it; it was damaged.`),
        ...(damaged.length > MOST_NAMED ? [`  and ${damaged.length - MOST_NAMED} more that were damaged.`] : []),
    ];
    return new errors_1.UnprocessableError(lines.join('\n'), 'sealed_values_unopened');
}
/** Counts by key. */
function createTally() {
    const counts = new Map();
    return {
        add: (keyId) => void counts.set(keyId, (counts.get(keyId) ?? 0) + 1),
        of: (keyId) => counts.get(keyId) ?? 0,
        sum: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
        counts: () => [...counts],
        get size() {
            return counts.size;
        },
    };
}
//# sourceMappingURL=reseal-secrets.js.map