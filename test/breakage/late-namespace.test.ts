import { randomBytes } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { loadConfig } from '../../src/config';
import { createMongo } from '../../src/platform/mongo';
import { buildCaller } from '../support/build-caller';
import { ownType } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { buildAccount, buildSettings } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { makeNamespace } from '../support/namespaces';
import { startRoleProcess } from '../support/role-process';

const receiver = useReceiver();

it('a process that starts before its namespace exists delivers once it does, and logs the wait once', async () => {
  const namespace = `late-${randomBytes(6).toString('hex')}`;
  const settings = await buildSettings({ TEMPORAL_NAMESPACE: namespace, LOG_LEVEL: 'info' }, 'api');
  const config = loadConfig(settings);
  const mongo = createMongo(config.mongodb.uri!);
  const connection = await Connection.connect({ address: config.temporal.address! });
  const stack = await startRoleProcess('all', settings);
  try {
    await eventually(stack.log, (log) => log.includes(`Namespace ${namespace} is not found`));

    await makeNamespace(connection, namespace);

    const caller = await buildCaller({ url: stack.url!, account: (options) => buildAccount(config, mongo, options) });
    const type = ownType();
    await caller.register({ url: receiver.url, events: [type] });
    const { id } = await caller.ingest({ type });
    await caller.untilEvent(id as number, 'delivered');

    const lines = stack.log().split('\n');
    const about = lines.filter((line) => /worker (waits|starts|failed)/.test(line)).map((line) => JSON.parse(line).msg);
    expect(about).toEqual([
      `the worker waits for Temporal's namespace ${namespace}`,
      `Temporal's namespace ${namespace} is there; the worker starts`,
    ]);
  } finally {
    await stack.kill();
    await connection.close();
    await mongo.close();
  }
});
