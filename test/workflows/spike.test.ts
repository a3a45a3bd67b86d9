import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { testServerBinary } from '../support/servers';
import { SEARCH_ATTRIBUTES, DELIVERY_TASK_QUEUE, DELIVERY_WORKFLOW } from '../../src/domain/delivery-contract';

test('spike', async () => {
  const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path: testServerBinary() } } });
  try {
    try {
      await env.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((n) => [n, 2])) });
      console.log('registered');
    } catch (e) { console.log('register failed', e); }
    const calls: [number, number][] = [];
    const worker = await Worker.create({
      connection: env.nativeConnection, taskQueue: DELIVERY_TASK_QUEUE, maxCachedWorkflows: 0,
      workflowsPath: join(__dirname, '../../workflows/index.ts'),
      activities: { attemptDelivery: async (i: any) => { calls.push([i.number, await env.currentTimeMs()]); return { kind: 'answered', number: i.number, succeeded: false, startedAtMs: 0, latencyMs: 1, statusCode: 503, errorCode: 'http_status', recorded: true }; } },
    });
    await worker.runUntil(async () => {
      const h = await env.client.workflow.start(DELIVERY_WORKFLOW, { workflowId: 'x', taskQueue: DELIVERY_TASK_QUEUE, args: [{ eventId: 1, endpointId: 'ep', run: 1, schedule: [0, 1000, 5000, 30000, 300000, 1800000, 7200000, 86400000], firstAttempt: 1, firstDelayMs: 0, route: 'inline' }] });
      const r = await h.result().catch((e) => e);
      console.log(r, r.cause);
    });
    console.log(calls.map(([n, t]) => [n, t - calls[0]![1]]));
  } finally { await env.teardown(); }
}, 60000);
