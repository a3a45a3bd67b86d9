import { hostname } from 'node:os';
import { parseMetrics } from '../../src/platform/temporal-metrics';
import { buildSettings } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { startRoleProcess, type RoleProcess } from '../support/role-process';

let running: RoleProcess;
afterEach(() => running.kill());

/** The line with which a process says that it runs. */
function lineOf(role: RoleProcess): { metrics: string; [field: string]: unknown } {
  return JSON.parse(
    role
      .log()
      .split('\n')
      .find((line) => line.includes('everpost started'))!,
  );
}

it.each(['1', '2'])(
  '%s processes of a worker export the metrics of Temporal, and their lines say who they are',
  async (count) => {
    const settings = await buildSettings({ LOG_LEVEL: 'info', PROCESSES: count }, 'worker');
    running = await startRoleProcess('worker', settings);
    const line = lineOf(running);
    const scrape = async () => (await fetch(line.metrics)).text();

    const text = await eventually(scrape, (now) => now.includes('temporal_num_pollers{'));
    const ready = await eventually(
      async () => (await fetch(line.metrics.replace('/metrics', '/readyz'))).json() as Promise<{ status: string }>,
      ({ status }) => status === 'ok',
    );

    expect(line).toMatchObject({
      role: 'worker',
      version: expect.stringMatching(/^\d+\./),
      host: hostname(),
      pid: expect.any(Number),
    });
    expect(ready).toEqual({ status: 'ok', mongodb: 'up', temporal: 'up' });
    const temporal = parseMetrics(text).filter(({ name }) => name.startsWith('temporal_'));
    expect(temporal.length).toBeGreaterThan(3);
    expect(temporal.flatMap(({ values }) => values.filter(({ value }) => Number.isNaN(value)))).toEqual([]);
    expect(new Set(temporal.map(({ name }) => name)).size).toBe(temporal.length);
    expect(text).toMatch(/^everpost_build_info\{.*process_role="worker"\} 1$/m);
  },
);
