import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Nothing that a tenant can make grow is read into memory without a bound.

const ROOT = join(__dirname, '..', '..');

/**
 * Reads without a limit in their text: how many a file has, and why what they return can't grow. A read by ids that the
 * caller has (`$in`) is as long as that list.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/account-lifecycle/deletion-store.ts': [
    'accounts that an operator is deleting',
    'one account, by its id',
    'operators, whom only the command line makes',
  ],
  'src/dashboard-api/overview-store.ts': ['countOfReplays has MAX_COUNTED, and gives one row for each job and state'],
  'src/endpoints/sealed-store.ts': ['keys of encryption, which only operators make'],
  'src/event-types/event-type-store.ts': ['CATALOG_LIMITS bounds the catalog', 'CATALOG_LIMITS bounds the catalog'],
  'src/keys/key-store.ts': ['active keys: insert allows MAX_ACTIVE_KEYS', 'active keys: insert allows MAX_ACTIVE_KEYS'],
  'src/limits/limit-store.ts': ['one account, by its id'],
  'src/payloads/data-key-store.ts': ['keys of encryption, which only operators make'],
  'src/stores/attempt-count-store.ts': [
    'the spans of one window: 720 hours, or 288 times five minutes',
    'one row for each of 30 days',
    'the spans of one window for each of the endpoints that the caller has',
  ],
  'src/stores/capacity-store.ts': ['one row for each shard'],
  'src/stores/endpoint-store.ts': ['MAX_ENDPOINTS, by the unique slot', 'MAX_ENDPOINTS, by the unique slot'],
  'src/stores/held-store.ts': ['eventsOf is a list of ids'],
  'src/stores/operations-store.ts': ['eventsOf is a list of ids'],
  'src/stores/outage-store.ts': ['one row: a count'],
  'src/stores/rate-store.ts': ['one endpoint, by its id'],
  'src/stores/waiting-store.ts': ['stagesOf has MAX_WAITING, and gives one row for each reason'],
  'src/users/session-store.ts': ['by hashes of tokens that callers sent'],
  'src/users/user-store.ts': ['for the command line, in a process of its own'],
};

interface Read {
  readonly line: number;
  /** From the name of the method to `toArray`. */
  readonly chain: string;
}

/** The reads of a file that collect a whole cursor, and the stages that collect values in one document. */
function readsOf(source: string): Read[] {
  return [...source.matchAll(/\.toArray\(\)|\.distinct\(|Array\.fromAsync\(|: \{ \$(push|addToSet): '/g)].map(
    ({ 0: read, index }) => {
      const before = source.slice(0, index);
      const begins = [...before.matchAll(/\.(find|aggregate)(<[^(]*>)?\(/g)].at(-1)?.index ?? 0;
      return { line: before.split('\n').length, chain: read.endsWith('(') ? read : before.slice(begins) };
    },
  );
}

function unboundedIn(source: string): Read[] {
  return readsOf(source).filter(({ chain }) => !/\.limit\(|\$limit:|\blimit(,|:| }|\))|\$in:/.test(chain));
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'activities'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.ts'));

it('every read into memory has a limit, or a reason why what it reads cannot grow', () => {
  const found = files
    .map((file) => ({ file, reads: unboundedIn(readFileSync(join(ROOT, file), 'utf8')) }))
    .filter(({ reads }) => reads.length > 0);

  const wrong = found
    .filter(({ file, reads }) => reads.length !== (ALLOWED[file]?.length ?? 0))
    .flatMap(({ file, reads }) => reads.map(({ line, chain }) => `${file}:${line} ${chain.replaceAll(/\s+/g, ' ')}`));
  expect(wrong).toEqual([]);
  expect(found.map(({ file }) => file)).toEqual(Object.keys(ALLOWED).toSorted());
});

it.each([
  ['attempts.find({ event_id: eventId }).sort({ run: 1 }).toArray()', 1],
  ['events.aggregate<Row>([{ $match: { account_id: id } }]).toArray()', 1],
  ['attempts.find({ event_id: eventId }).limit(100).toArray()', 0],
  ['events.aggregate([{ $match: {} }, { $limit: MOST }]).toArray()', 0],
  ['keys.find({ _id: { $in: ids } }).toArray()', 0],
  ["events.distinct('type', { account_id: id })", 1],
  ['Array.fromAsync(events.find({ account_id: id }))', 1],
  ["events.aggregate([{ $match: all }, { $group: { _id: null, types: { $push: '$type' } } }]).toArray()", 2],
])('the test sees through %s', (source, count) => {
  expect(unboundedIn(source)).toHaveLength(count);
});
