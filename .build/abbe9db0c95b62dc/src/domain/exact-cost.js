"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.exactly = exactly;
exports.times = times;
exports.plus = plus;
exports.inCents = inCents;
const big_js_1 = __importDefault(require("big.js"));
/** A double holds every decimal of 15 digits, and no two of them are the same double. */
const MAX_UNITS = 999_999_999_999_999;
const MAX_PLACES_OF_NUMBER = 12;
/** The largest power of ten that a double holds exactly is 10^22. */
const MAX_PLACES = 22;
const POWERS_OF_TEN = Array.from({ length: MAX_PLACES + 1 }, (_, places) => Number(`1e${places}`));
const CENTS_PLACES = 2;
/** The decimal that JavaScript prints for a number that is not negative. */
function exactly(number) {
    for (let places = 0; places <= MAX_PLACES_OF_NUMBER; places += 1) {
        const power = POWERS_OF_TEN[places];
        const units = Math.round(number * power);
        if (units > MAX_UNITS)
            break;
        // The quotient of two whole doubles is the double nearest to it: should it be the number, this is its decimal.
        if (units / power === number)
            return { units, places };
    }
    return (0, big_js_1.default)(number);
}
/** The exact product. */
function times(one, other) {
    if ('units' in one && 'units' in other) {
        const units = one.units * other.units;
        const places = one.places + other.places;
        if (units <= Number.MAX_SAFE_INTEGER && places <= MAX_PLACES)
            return { units, places };
    }
    return decimal(one).times(decimal(other));
}
/** The exact sum. */
function plus(one, other) {
    if ('units' in one && 'units' in other) {
        const places = Math.max(one.places, other.places);
        const units = one.units * POWERS_OF_TEN[places - one.places] + other.units * POWERS_OF_TEN[places - other.places];
        if (units <= Number.MAX_SAFE_INTEGER)
            return { units, places };
    }
    return decimal(one).plus(decimal(other));
}
/** Rounded half up to cents, as the nearest number. */
function inCents(exact) {
    if (!('units' in exact))
        return exact.round(CENTS_PLACES, big_js_1.default.roundHalfUp).toNumber();
    const { units, places } = exact;
    if (places <= CENTS_PLACES)
        return units / POWERS_OF_TEN[places];
    const divisor = POWERS_OF_TEN[places - CENTS_PLACES];
    const rest = units % divisor;
    const cents = (units - rest) / divisor + (rest * 2 >= divisor ? 1 : 0);
    return cents / 100;
}
function decimal(exact) {
    return 'units' in exact ? (0, big_js_1.default)(`${exact.units}e-${exact.places}`) : exact;
}
//# sourceMappingURL=exact-cost.js.map