import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { quietTemporal } from '../../support/quiet-temporal';
import { workflowCode } from '../../../src/worker';

/** An execution as it was recorded, or the beginning of one. */
export interface RecordedHistory {
  readonly events: { readonly eventType: string }[];
}

/** Executions that earlier code began. */
export interface RecordedHistories {
  readonly names: readonly string[];
  textOf(name: string): string;
  read(name: string): RecordedHistory;
}

/** @param folder below `histories`, or nothing for the deliveries */
export function readHistories(folder = ''): RecordedHistories {
  const path = join(__dirname, 'histories', folder);
  const textOf = (name: string): string => readFileSync(join(path, `${name}.json`), 'utf8');
  return {
    names: readdirSync(path)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length)),
    textOf,
    read: (name) => JSON.parse(textOf(name)) as RecordedHistory,
  };
}

/** Runs the present code over what the old code did. */
export type Replay = (history: RecordedHistory) => Promise<void>;

export async function buildReplay(workflowId: string): Promise<Replay> {
  quietTemporal();
  const workflowBundle = await workflowCode();
  return (history) => Worker.runReplayHistory({ workflowBundle }, history, workflowId);
}

/** The history at each moment at which the old code may have stopped. */
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
