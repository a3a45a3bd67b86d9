/**
 * Milliseconds since 1970, for durations and log lines. Decisions that must agree across processes use the database's
 * clock.
 */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
