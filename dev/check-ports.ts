import type { Config } from '../src/config';
import { isPortFree } from './free-port';
import { LocalStackError } from './local-stack-error';

/**
 * Makes sure that every port the stack wants can be had, before anything is started.
 *
 * @throws LocalStackError naming the setting to change
 */
export async function checkPorts(config: Config): Promise<void> {
  const wanted: [setting: string, what: string, port: number, host?: string][] = [
    ['PORT', 'the API', config.port, config.host],
    ...(config.mongodb.uri === undefined
      ? [['MONGODB_PORT', 'MongoDB', config.mongodb.port] as [string, string, number]]
      : []),
    ...(config.temporal.address === undefined
      ? ([
          ['TEMPORAL_PORT', 'Temporal', config.temporal.port],
          ['TEMPORAL_UI_PORT', "Temporal's Web UI", config.temporal.uiPort],
        ] as [string, string, number][])
      : []),
  ];
  const seen = new Map<number, string>();
  for (const [setting, what, port, host] of wanted) {
    if (port === 0) continue;
    const other = seen.get(port);
    if (other) throw new LocalStackError(`${setting} and ${other} are both ${port}. Set one of them to another port.`);
    seen.set(port, setting);
    if (!(await isPortFree(port, host))) throw portTaken(port, what, setting);
  }
}

/** One line for a port that somebody else has. */
export function portTaken(port: number, what: string, setting: string): LocalStackError {
  return new LocalStackError(`Port ${port}, meant for ${what}, is taken. Set ${setting} to a free one.`);
}
