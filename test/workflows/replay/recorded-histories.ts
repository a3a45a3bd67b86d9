import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import { quietTemporal } from '../../support/quiet-temporal';
import { workflowCode } from '../../../src/worker';

const HISTORIES = join(__dirname, 'histories');

/** An execution as it was recorded, or the beginning of one. */
export interface RecordedHistory {
  readonly events: { readonly eventType: string }[];
}

/** Executions that earlier code began. */
export interface RecordedHistories {
  readonly names: readonly string[];
  read(name: string): RecordedHistory;
}

export function readHistories(): RecordedHistories {
  return {
    names: readdirSync(HISTORIES)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length)),
    read: (name) => JSON.parse(readFileSync(join(HISTORIES, `${name}.json`), 'utf8')) as RecordedHistory,
  };
}

/** Runs the present code over what the old code did, over one history after the other. @throws what differs first */
export async function replayAll(workflowId: string, histories: readonly RecordedHistory[]): Promise<void> {
  quietTemporal();
  const workflowBundle = await workflowCode();
  const runs = histories.map((history) => ({ workflowId, history }));
  let replayed = 0;
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, runs)) {
    if (error) throw error;
    replayed += 1;
  }
  if (replayed !== runs.length) throw new Error(`${replayed} of ${runs.length} histories were replayed`);
}

/** The history at each moment at which the old code may have stopped; the last one is the whole history. */
export function stopsOf({ events }: RecordedHistory): RecordedHistory[] {
  return events.flatMap(({ eventType }, index) => {
    if (eventType !== 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED') return [];
    // With what the completed task decided: those events follow it directly.
    const next = events.findIndex(
      (event, at) => at > index && event.eventType === 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
    );
    return [{ events: next < 0 ? events : events.slice(0, next) }];
  });
}

/**
 * Writes down the history of an execution that has ended, without the names of the machine and its folders. A file that is
 * there is evidence of executions that may be in flight, and stays.
 *
 * @param name of the file, with its folder
 * @param secrets what the history must not hold
 */
export async function saveHistory(name: string, handle: WorkflowHandle, ...secrets: string[]): Promise<void> {
  const file = join(HISTORIES, `${name}.json`);
  await handle.result().catch(() => undefined);
  const history = historyToJSON(await handle.fetchHistory());
  for (const secret of secrets) expect(history).not.toContain(secret);
  if (existsSync(file) && process.env['OVERWRITE'] !== '1') return;
  mkdirSync(join(file, '..'), { recursive: true });
  const anonymous = history
    .replaceAll(`${process.pid}@${hostname()}`, 'worker')
    .replaceAll(hostname(), 'host')
    .replaceAll(`${process.cwd()}/`, '');
  writeFileSync(file, `${JSON.stringify(JSON.parse(anonymous))}\n`);
}
