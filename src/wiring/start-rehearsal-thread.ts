import { join } from 'node:path';
import { createLimitedThread } from '../platform/limited-thread';
import type { RunDeps } from '../rehearsals/run-rehearsals';

/** Longer than a rehearsal may take: its runner closes the thread. */
const LIMIT_MS = 60_000;

/** One for each kind of change: the second loads what compiles schemas. */
const FILES = { endpoint: 'match-thread', event_type: 'check-thread' } as const;

/** A thread for one rehearsal, which starts at its first question. */
export const startRehearsalThread: RunDeps['startThread'] = ({ kind }) =>
  createLimitedThread(join(__dirname, '..', 'rehearsals', FILES[kind]), LIMIT_MS);
