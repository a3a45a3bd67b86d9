/**
 * A time this much further ahead than it can be was written before the database's clock was set back (ADR 43). A
 * smaller lead can come from concurrent operations: each uses the time of its start, and may wait.
 */
export const SET_BACK_MS = 60_000;
