/** Milliseconds since 1970, for durations and log lines. Decisions that must hold across processes use the database's clock. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
