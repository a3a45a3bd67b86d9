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

it('a process that starts before its namespace exists delivers once it does (five tries take five seconds)', async () => {
  const namespace = `late-${randomBytes(6).toString('hex')}`;
  const settings = await buildSettings({ TEMPORAL_NAMESPACE: namespace, LOG_LEVEL: 'info' }, 'api');
  const config = loadConfig(settings);
  const mongo = createMongo(config.mongodb.uri!);
  const connection = await Connection.connect({ address: config.temporal.address! });
  const stack = await startRoleProcess('all', settings);
  try {
    // Several: what one try leaves behind must not make the next one fail.
    const failures = () => stack.log().split('the worker failed').length - 1;
    await eventually(failures, (count) => count >= 5);
    expect(stack.log()).toContain(`Namespace ${namespace} is not found`);
    expect(stack.log()).not.toContain('overlapping worker');

    await makeNamespace(connection, namespace);

    const caller = await buildCaller({ url: stack.url!, account: (options) => buildAccount(config, mongo, options) });
    const type = ownType();
    await caller.register({ url: receiver.url, events: [type] });
    const { id } = await caller.ingest({ type });
    await caller.untilEvent(id as number, 'delivered');
  } finally {
    await stack.kill();
    await connection.close();
    await mongo.close();
  }
});
