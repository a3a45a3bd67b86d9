import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// A query that returns some of what matches says in which order, or which of them: otherwise MongoDB decides by its plan,
// and a plan changes with the data.

const ROOT = join(__dirname, '..', '..');
const CALL = /\.(?:findOne|find|findOneAndUpdate|findOneAndDelete|aggregate)(?:<[^()]*>)?\(/g;
/** It returns a part of what matches. */
const IS_PART = /^\.findOne|\blimit\b|\$limit/;
/** It says the order, bounds the scan in an index, or matches one document at most. */
const IS_ORDERED = /\bsort\b|\$sort|\bmin:|[{,]\s*_id(?::(?!\s*(?:\{\s*\$gt|1\b))|\s*[,}])|atVersion\(/;

/** How many queries of a store need no order, and why. */
const UNORDERED: Readonly<Record<string, readonly [queries: number, reason: string]>> = {
  'accounts/account-change-store.ts': [1, 'by the id, which its filter has'],
  'accounts/account-search-store.ts': [1, 'by a unique address'],
  'accounts/account-store.ts': [1, 'by a unique id'],
  'limits/limit-store.ts': [1, 'by a unique id'],
  'dashboard-api/overview-store.ts': [2, 'ask whether there is any'],
  'stores/backlog-store.ts': [1, 'in the order of the index that it names'],
  'endpoints/auto-disable-store.ts': [1, 'by the id, which its filter has'],
  'endpoints/rotation-store.ts': [1, 'by the id, which its filter has'],
  'keys/key-store.ts': [3, 'one asks whether there is any, two have the id in their filter'],
  'stores/held-store.ts': [1, 'asks whether there is any'],
  'stores/list-attempts-store.ts': [2, 'the stages before them sort'],
  'stores/list-events-store.ts': [2, 'the stages before them sort'],
  'stores/operations-store.ts': [1, 'cancels all of them, part after part'],
  'stores/outage-store.ts': [2, 'what they find is told, and is not found again'],
  'replays/replay-store.ts': [2, 'by the id, which each filter has'],
  'stores/erased-data-store.ts': [1, 'erases all of them, part after part'],
  'users/session-store.ts': [1, 'by a unique hash'],
  'users/user-store.ts': [4, 'two ask whether there is any, one has the id in its filter, one is by a unique address'],
};

const stores = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(-store|platform\/mongo[a-z-]*)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, 'src', file), 'utf8') }));

/** The text of a call, and of the calls chained to it. */
function chainAt(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if ('([{'.includes(text[at]!)) depth += 1;
    if (')]}'.includes(text[at]!) && (depth -= 1) === 0 && !/^\s*\./.test(text.slice(at + 1)))
      return text.slice(from, at + 1);
    if (depth < 0) return text.slice(from, at);
  }
  return text.slice(from);
}

const queries = stores.flatMap(({ file, text }) =>
  [...text.matchAll(CALL)].map(({ index, 0: call }) => {
    const chain = call + chainAt(text, index + call.length - 1).slice(1);
    return { file, chain };
  }),
);

it('is about every store', () => {
  expect(stores.length).toBeGreaterThan(30);
  expect(queries.length).toBeGreaterThan(60);
});

it('every query for a part of what matches says its order', () => {
  const unordered = queries.filter(({ chain }) => IS_PART.test(chain) && !IS_ORDERED.test(chain));
  const inFile = (file: string) => unordered.filter((query) => query.file === file);
  const files = [...new Set([...unordered.map(({ file }) => file), ...Object.keys(UNORDERED)])];
  const others = files.filter((file) => inFile(file).length !== (UNORDERED[file]?.[0] ?? 0));
  expect(others.flatMap(inFile)).toEqual([]);
  expect(others).toEqual([]);
});
