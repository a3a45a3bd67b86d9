import { randomBytes } from 'node:crypto';
import { readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { registerSearchAttributes } from '../../dev/temporal-server';
import { eventually } from './eventually';
import type { TestServers } from './servers';

const RETENTION_SECONDS = 86_400;
/** The server's parts learn of a new namespace within two seconds, also of eight at once. */
const READY = 8;
const LOOK_EVERY_MS = 100;

type Place = Pick<TestServers, 'temporalAddress' | 'namespaceFolder'>;

/**
 * Makes Temporal namespaces ahead of the tests that take them. Task queues have fixed names, so workers of different
 * tests must not share a namespace, and a new one takes two seconds. A file in the folder stands for each.
 */
export function keepNamespacesReady({ temporalAddress, namespaceFolder }: Place): { stop(): Promise<void> } {
  let stopped = false;
  const keep = async (): Promise<void> => {
    // A busy machine connects late.
    const connection = Connection.lazy({ address: temporalAddress });
    while (!stopped) {
      const ready = (await readdir(namespaceFolder)).length;
      if (ready <= READY / 2) {
        const making = await Promise.allSettled(Array.from({ length: READY - ready }, () => makeNamespace(connection)));
        // The next round makes those that failed.
        for (const made of making) {
          if (made.status === 'fulfilled') await writeFile(join(namespaceFolder, made.value), '');
        }
      }
      await pass(LOOK_EVERY_MS);
    }
    await connection.close();
  };
  const keeping = keep();
  return {
    async stop() {
      stopped = true;
      await keeping;
    },
  };
}

/** Takes a namespace with our search attributes for this test alone. */
export async function takeNamespace({ namespaceFolder }: Place): Promise<string> {
  return (await eventually(
    async () => {
      for (const name of await readdir(namespaceFolder)) {
        // If two take the same one, only one of them removes the file.
        const isMine = await unlink(join(namespaceFolder, name)).then(
          () => true,
          () => false,
        );
        if (isMine) return name;
      }
      return undefined;
    },
    (name) => name !== undefined,
  ))!;
}

/** Makes a namespace, and waits until deliveries can use it. @returns its name */
export async function makeNamespace(
  connection: Connection,
  namespace = `test-${randomBytes(6).toString('hex')}`,
): Promise<string> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS as never },
  });
  await untilDone(() => registerSearchAttributes(connection, namespace));
  // Until then a start with these attributes is refused.
  const query = SEARCH_ATTRIBUTES.map((name) => `${name} = 'known'`).join(' AND ');
  await untilDone(() => connection.workflowService.countWorkflowExecutions({ namespace, query }));
  return namespace;
}

/** The server's parts learn of a new namespace one after the other. */
function untilDone(work: () => Promise<unknown>): Promise<boolean> {
  return eventually(
    () =>
      work().then(
        () => true,
        () => false,
      ),
    (isDone) => isDone,
  );
}
