"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.countSignIn = countSignIn;
exports.forgetSignIns = forgetSignIns;
exports.countSignUp = countSignUp;
const errors_1 = require("../domain/errors");
const QUARTER_HOUR_MS = 15 * 60_000;
/** Wrong passwords for one e-mail address from one client address, or from one browser that signed in before. */
const PER_PERSON = { tries: 5, windowMs: QUARTER_HOUR_MS };
/** Wrong passwords from one client address, whosever: against trying one password on many people. */
const PER_ADDRESS = { tries: 50, windowMs: QUARTER_HOUR_MS };
/** New accounts, and set-up links, from one client address. */
const SIGN_UPS = { tries: 10, windowMs: 4 * QUARTER_HOUR_MS };
/**
 * Counts a try to sign in. Those of a browser that signed in before count by themselves: what others try from the same
 * address does not lock its user out.
 *
 * @throws TooManyRequestsError after 5 tries for one e-mail address from one client address (or one such browser) in 15
 *   minutes, and after 50 from one client address
 */
async function countSignIn(tries, trier) {
    if (trier.device !== undefined)
        return countTry(tries, deviceOf(trier.device), PER_PERSON);
    await countTry(tries, `address ${trier.address}`, PER_ADDRESS);
    await countTry(tries, personOf(trier), PER_PERSON);
}
/** The password was right: earlier tries for this person no longer count. */
async function forgetSignIns(tries, trier) {
    if (trier.device !== undefined)
        return tries.forget(deviceOf(trier.device));
    // A correct password must not erase the tries on other people from the same address.
    await Promise.all([tries.forget(personOf(trier)), tries.takeBack(`address ${trier.address}`)]);
}
/** @throws TooManyRequestsError after 10 from one client address in an hour */
function countSignUp(tries, address) {
    return countTry(tries, `sign-up ${address}`, SIGN_UPS);
}
function deviceOf(device) {
    return `device ${device}`;
}
function personOf({ email, address }) {
    return `person ${email} ${address}`;
}
async function countTry(tries, what, limit) {
    const waitSeconds = await tries.count(what, limit);
    if (waitSeconds === 0)
        return;
    const minutes = Math.ceil(waitSeconds / 60);
    throw new errors_1.TooManyRequestsError(`Too many tries from here. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`, 'too_many_tries', waitSeconds, { retry_after: waitSeconds, remaining: 0 });
}
//# sourceMappingURL=limit-tries.js.map