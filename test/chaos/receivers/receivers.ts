import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { buildServerCertificate, type Certificate } from '../../sender/certificates';
import { startChild, type Child } from '../cluster/child';
import { followLog, type Behaviour, type Received, type ReceiverMessage } from './receiver-log';

/** A process of healthy receivers: a path for each endpoint. */
export interface ReceiverProcess {
  readonly child: Child;
  readonly url: string;
  behave(path: string, behaviour: Behaviour): Promise<void>;
  /** Every request so far at these paths. */
  read(paths: ReadonlySet<string>): Received[];
}

/** Where healthy receivers are, one process each. */
const HOSTS = ['127.10.0.1', '127.10.0.2'];

export async function startReceivers(folder: string, authority: Certificate): Promise<readonly ReceiverProcess[]> {
  return Promise.all(
    HOSTS.map(async (host, index) => {
      const child = await startChild(join(__dirname, 'receiver-process.js'));
      const certificate = await buildServerCertificate({ authority, addresses: [host] });
      const logFile = join(folder, `receiver-${index + 1}.jsonl`);
      closeSync(openSync(logFile, 'a'));
      const tell = <T>(message: ReceiverMessage): Promise<T> => child.ask<T>(message);
      const { port } = await tell<{ port: number }>({ kind: 'listen', host, logFile, ...certificate });
      const log = followLog(logFile);
      return {
        child,
        url: `https://${host}:${port}`,
        behave: (path, behaviour) => tell({ kind: 'behave', path, behaviour }),
        read: log.read,
      } satisfies ReceiverProcess;
    }),
  );
}
