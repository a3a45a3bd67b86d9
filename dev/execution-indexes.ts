import { Database } from 'node-sqlite3-wasm';

/** Lists of executions by time, type, state, id, parent, and by the search attributes of a namespace use these. */
const WHOLE = ['default_idx', 'by_workflow_type', 'by_status', 'by_workflow_id'];
/** Most executions lack the attribute of these. */
const PARTIAL = /^by_(parent_workflow_id|keyword_\d+)$/;

const INDEXES = `SELECT name, sql FROM sqlite_schema
  WHERE type = 'index' AND tbl_name = 'executions_visibility' AND sql IS NOT NULL`;

/**
 * Drops the indexes of Temporal's list of executions that no query here uses: most of what an execution takes on the
 * disk (docs/adr/0055). A query for another attribute still works, by reading the list.
 *
 * @param file the database of a dev server that does not run
 */
export function dropUnusedIndexes(file: string): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    // This SQLite has no shared memory, which a write-ahead log needs unless the file is locked for one process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN');
    for (const { name, sql } of database.all(INDEXES) as { name: string; sql: string }[]) {
      if (WHOLE.includes(name)) continue;
      database.exec(`DROP INDEX ${name}`);
      if (PARTIAL.test(name)) database.exec(partial(sql));
    }
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** @param sql `CREATE INDEX … ON executions_visibility (namespace_id, <attribute>, …)` */
function partial(sql: string): string {
  const [, attribute] = /\(namespace_id,\s*(\w+)/.exec(sql)!;
  return `${sql} WHERE ${attribute} IS NOT NULL`;
}
