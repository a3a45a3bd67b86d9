/** The most attempts inside an event or a delivery: the newest ones. The list of a delivery's attempts has all of them. */
export const NEWEST_ATTEMPTS = 100;

/**
 * More attempts of an event or a delivery are not counted: these take MongoDB some 6 ms. `MAX_RUNS` allows 2,000 of a
 * delivery, and 200,000 of an event.
 */
export const MAX_COUNTED_ATTEMPTS = 10_000;
