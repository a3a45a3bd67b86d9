/**
 * A time that lies this much further ahead than it can was written before the database's clock was set back (ADR 43). Less is
 * how far the time may be apart for two operations at once: each has that of its begin, and may wait.
 */
export const SET_BACK_MS = 60_000;
