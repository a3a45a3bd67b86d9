import type { Document } from 'mongodb';
import type { Mongo } from '../../src/platform/mongo';

/** A query that MongoDB ran, as its profiler noted it and as `explain` plans it. */
export interface Read {
  readonly collection: string;
  /** The command, as the driver sent it. */
  readonly command: Document;
  /** The indexes that it uses, in the profiler's words. */
  readonly plan: string;
  /** Entries of indexes, and documents, that it examined. */
  readonly keys: number;
  readonly documents: number;
  readonly returned: number;
  /** Whether a part of it reads a whole collection. */
  readonly isScan: boolean;
  /** The most documents that one sort in memory sorted. */
  readonly sorted: number;
}

/** What the profiler notes of a query. */
interface Profiled {
  readonly op: string;
  readonly ns: string;
  readonly command: Document;
  readonly planSummary?: string;
  readonly keysExamined?: number;
  readonly docsExamined?: number;
  readonly nreturned?: number;
}

const QUERIES = ['find', 'aggregate', 'count', 'distinct', 'findAndModify'];
/** Of the driver and the session, not of the query. */
const NOT_EXPLAINED = [
  'lsid',
  '$clusterTime',
  '$db',
  'cursor',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'maxTimeMS',
  'writeConcern',
];

/**
 * Runs `work`, and explains every query that MongoDB ran meanwhile in this database. The profiler sees the queries of
 * every process; nothing else may use the database meanwhile.
 */
export async function watchReads({ db }: Mongo, work: () => Promise<unknown>): Promise<Read[]> {
  const profile = db.collection<Profiled>('system.profile');
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const noted = await profile.find().toArray();
  await profile.drop();
  return Promise.all(noted.filter((it) => isQuery(it)).map((it) => explained(db, it)));
}

/** Streams of changes read no collection. */
function isQuery({ command }: Profiled): boolean {
  if ('$truncated' in command)
    throw new Error(`a query is too long for the profiler: ${String(command['$truncated']).slice(0, 200)}`);
  const [stage] = (command['pipeline'] as Document[] | undefined) ?? [];
  return QUERIES.some((name) => name in command) && !stage?.['$changeStream'];
}

async function explained(db: Mongo['db'], profiled: Profiled): Promise<Read> {
  const { ns, command, planSummary = '', keysExamined = 0, docsExamined = 0, nreturned = 0 } = profiled;
  const query = Object.fromEntries(Object.entries(command).filter(([name]) => !NOT_EXPLAINED.includes(name)));
  const cursor = 'aggregate' in command ? { cursor: {} } : {};
  const plan = await db.command({ explain: { ...query, ...cursor }, verbosity: 'executionStats' });
  const stages = stagesOf(plan);
  const sorts = stages.filter(({ stage, $sort }) => /^sort$/i.test(String(stage)) || $sort !== undefined);
  return {
    collection: ns.slice(ns.indexOf('.') + 1),
    command: query,
    plan: planSummary,
    keys: keysExamined,
    documents: docsExamined,
    returned: nreturned,
    isScan: stages.some(({ stage, collectionScans }) => stage === 'COLLSCAN' || Number(collectionScans ?? 0) > 0),
    sorted: Math.max(0, ...sorts.map((it) => Number(it['nReturned'] ?? 0))),
  };
}

const NOT_RUN = ['rejectedPlans', 'command', 'parsedQuery', 'allPlansExecution'];

/** Every stage of an explained plan that runs, however deep; rejected plans don't. */
function stagesOf(plan: unknown): Document[] {
  if (typeof plan !== 'object' || plan === null) return [];
  if (Array.isArray(plan)) return plan.flatMap((it) => stagesOf(it));
  const stage = plan as Document;
  const inner = Object.entries(stage).flatMap(([name, value]) => (NOT_RUN.includes(name) ? [] : stagesOf(value)));
  return ['stage', '$sort', 'collectionScans'].some((name) => name in stage) ? [stage, ...inner] : inner;
}
