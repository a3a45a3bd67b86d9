import { join } from 'node:path';
import { createLimitedThread } from '../platform/limited-thread';
import type { RehearsalThread } from '../rehearsals/run-rehearsals';

/** Longer than a rehearsal may take: its runner closes the thread. */
const LIMIT_MS = 60_000;

/** A thread for one rehearsal, which starts at its first question. */
export function startRehearsalThread(): RehearsalThread {
  return createLimitedThread(join(__dirname, '../rehearsals/rehearsal-thread'), LIMIT_MS);
}
