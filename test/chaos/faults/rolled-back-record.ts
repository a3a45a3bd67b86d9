import type { Cluster } from '../cluster/cluster';
import type { Checks } from '../fault';
import { within } from '../waiting';

/** A round each minute, and the last one finds nothing. */
const MIGRATE_MS = 300_000;

/**
 * Everything expires that is finished, whichever version stored, attempted or finished it. Only the database shows that:
 * how docs/operating.md ("Storage") tells operators to look.
 */
export async function holdExpiries({ mongo }: Pick<Cluster, 'mongo'>, checks: Checks): Promise<void> {
  const [events, attempts] = [mongo.db.collection('events'), mongo.db.collection('attempts')];
  const ended = await within(MIGRATE_MS, async () => !(await events.indexExists('retention')), 1_000);
  checks.hold(ended, 'the index of the earlier version is still there: its events have no expiry');
  const [endless, attempted] = await Promise.all([
    events.countDocuments({ finished_at: { $ne: null }, expires_at: null }),
    attempts.countDocuments({ answer: { $exists: true }, expires_at: null }),
  ]);
  checks.figure('finished events without expiry', endless);
  checks.figure('attempts without expiry', attempted);
  checks.hold(endless === 0, `${endless} finished events would be kept forever`);
  checks.hold(attempted === 0, `${attempted} attempts would be kept forever`);
}
