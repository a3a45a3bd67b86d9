import { buildCollector, collectorBinary } from '../support/build-collector';
import { buildSettings } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { startRoleProcess, type RoleProcess } from '../support/role-process';

const describeWithCollector = collectorBinary === undefined ? describe.skip : describe;

describeWithCollector(collectorBinary ? 'with a collector' : 'with a collector: .ci/collector made none here', () => {
  const collector = useFixture('file', buildCollector, (it) => it.close());
  const running: RoleProcess[] = [];
  afterEach(() => Promise.all(running.splice(0).map((it) => it.kill())));

  async function start(env: Record<string, string>): Promise<RoleProcess> {
    const started = await startRoleProcess('api', await buildSettings({ LOG_LEVEL: 'info', ...env }, 'api'));
    running.push(started);
    return started;
  }
  const of = (service: string) => collector.metrics.filter(({ resource }) => resource['service.name'] === service);

  it.each(['grpc', 'http/protobuf', 'http/json'] as const)(
    'exports over %s what a process serves to Prometheus (once a second)',
    async (protocol) => {
      const service = `metrics-${protocol.replace('/', '-')}`;
      const api = await start({ ...collector.metricSettings(protocol), OTEL_SERVICE_NAME: service });
      for (let calls = 0; calls < 3; calls += 1) await fetch(`${api.url}/api/v1/webhooks/events`, { method: 'POST' });

      const requests = await eventually(
        () =>
          of(service)
            .filter(({ name }) => name === 'http_server_request_duration_seconds')
            .at(-1),
        (found) => found?.histogram?.dataPoints?.some(({ count }) => Number(count) >= 3) === true,
      );
      const [point] = requests!.histogram!.dataPoints!.filter(({ count }) => Number(count) >= 3);
      expect(point!.bucketCounts).toHaveLength(point!.explicitBounds.length + 1);
      expect(point!.bucketCounts.reduce((sum, count) => sum + Number(count), 0)).toBe(Number(point!.count));
      const build = of(service).find(({ name }) => name === 'everpost_build_info');
      expect(build).toMatchObject({
        gauge: { dataPoints: [{ asDouble: 1 }] },
        resource: { 'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/) },
      });
      expect(of(service).find(({ name }) => name === 'process_cpu_seconds_total')).toMatchObject({
        sum: { isMonotonic: true },
      });
    },
  );

  it('exports no metrics to an address for all signals', async () => {
    const service = 'traces-only';
    const api = await start({ ...collector.settings('http/protobuf'), OTEL_SERVICE_NAME: service });
    await fetch(`${api.url}/healthz`);
    await api.stop();

    expect(of(service)).toEqual([]);
  });
});
