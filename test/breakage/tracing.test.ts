import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { StoredEvent } from '../../src/stores/event-store';
import { apiClient, type ApiAnswer } from '../support/api-client';
import { buildCaller, type Caller } from '../support/build-caller';
import { buildCollector, collectorBinary, type ExportedSpan } from '../support/build-collector';
import { ownType } from '../support/build-data-path';
import { useReceiver, type ReceivedRequest } from '../support/build-receiver';
import { buildAccount, buildSettings } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { startRoleProcess, type RoleProcess } from '../support/role-process';
import { useTemporaryFolder } from '../support/temporary-folder';
import { loadConfig } from '../../src/config';
import { createMongo } from '../../src/platform/mongo';
import type { Role } from '../../src/processes/start-role';

// Real processes, because the SDK reads their environment, and a real collector.

const receiver = useReceiver();
const installation = useFixture('test', buildInstallation, (it) => it.close());
const describeWithCollector = collectorBinary === undefined ? describe.skip : describe;

/** A database and a namespace, and processes on them. */
async function buildInstallation() {
  const settings = { ...(await buildSettings({}, 'all')), LOG_LEVEL: 'info' };
  const config = loadConfig(settings);
  const mongo = createMongo(config.mongodb.uri!);
  const processes: RoleProcess[] = [];
  return {
    events: mongo.db.collection<StoredEvent>('events'),
    async start(env: Record<string, string> = {}, role: Role = 'all'): Promise<RoleProcess> {
      const started = await startRoleProcess(role, { ...settings, ...env });
      processes.push(started);
      return started;
    },
    caller: ({ url }: RoleProcess): Promise<Caller> =>
      buildCaller({ url: url!, account: (of) => buildAccount(config, mongo, of) }),
    async close() {
      await Promise.all(processes.map((it) => it.kill()));
      await mongo.close();
    },
  };
}

interface Compose {
  readonly services: { readonly api: { readonly environment: Readonly<Record<string, string>> } };
}

/** A trace of a caller, who has begun a span. */
function buildTrace() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

/** Registers an endpoint at the receiver, and sends it an event in a trace. @returns id of the event */
async function sendIn(caller: Caller, traceparent: string | undefined, options: object = {}): Promise<number> {
  const type = ownType();
  await caller.register({ url: `${receiver.url}?token=secret-of-the-url`, events: [type], ...options });
  const headers = traceparent === undefined ? {} : { traceparent };
  const { status, body } = await caller.post(
    '/api/v1/webhooks/events',
    { type, data: { card: 'secret-data' } },
    headers,
  );
  expect(status).toBe(202);
  return body.id;
}

interface LogLine {
  readonly level: number;
  readonly packages?: readonly string[];
  readonly [field: string]: unknown;
}

function linesOf(process: RoleProcess): LogLine[] {
  const lines = process.log().split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}

const inTrace =
  (traceId: string) =>
  (span: ExportedSpan): boolean =>
    span.traceId === traceId;

const isAttempt = ({ attributes }: ExportedSpan): boolean => attributes['everpost.attempt'] !== undefined;

describeWithCollector(collectorBinary ? 'with a collector' : 'with a collector: .ci/collector made none here', () => {
  const collector = useFixture('file', buildCollector, (it) => it.close());

  it.each(['grpc', 'http/protobuf', 'http/json'] as const)('exports over %s', async (protocol) => {
    const caller = await installation.caller(await installation.start(collector.settings(protocol)));
    const { traceId } = await sendTraced(caller);

    const spans = await collector.waitFor(3, inTrace(traceId));
    expect(spans.map(({ resource }) => resource['service.name'])).toEqual(['everpost', 'everpost', 'everpost']);
  });

  it('takes empty settings for unset ones, because Compose passes them', async () => {
    const compose = parse(readFileSync(join(__dirname, '..', '..', 'docker-compose.yml'), 'utf8'), {
      merge: true,
    }) as Compose;
    const names = Object.keys(compose.services.api.environment).filter((name) => name.startsWith('OTEL_'));
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    const { OTEL_EXPORTER_OTLP_PROTOCOL: _default, ...settings } = collector.settings('http/protobuf');
    const process = await installation.start({ ...empty, ...settings });
    const { traceId } = await sendTraced(await installation.caller(process));

    await collector.waitFor(3, inTrace(traceId));
    expect(linesOf(process).filter(({ part }) => part === 'opentelemetry')).toEqual([]);
  });

  it.each(['workflow', 'express'] as const)('makes one trace from the ingest to the POST, %s', async (way) => {
    const process = await installation.start({ ...collector.settings('http/protobuf'), FIRST_ATTEMPT: way });
    const caller = await installation.caller(process);
    const { traceId, spanId, eventId } = await sendTraced(caller);

    const spans = await collector.waitFor(way === 'express' ? 2 : 3, inTrace(traceId));
    const ingest = spans.find(({ kind }) => kind === 'server')!;
    expect(ingest).toMatchObject({
      name: 'POST /api/v1/webhooks/events',
      parentSpanId: spanId,
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/webhooks/events',
        'http.response.status_code': 202,
        'everpost.account_id': caller.accountId,
        'everpost.event_id': eventId,
      },
    });
    const [endpointId] = (await installation.events.findOne({ _id: eventId }))!.destinations.map(
      (it) => it.endpoint_id,
    );
    expect(spans.filter(isAttempt)).toEqual([
      expect.objectContaining({
        name: 'POST',
        kind: 'client',
        parentSpanId: ingest.spanId,
        failed: false,
        attributes: expect.objectContaining({
          'http.request.method': 'POST',
          'server.address': '127.0.0.1',
          'server.port': receiver.port,
          'http.response.status_code': 200,
          'everpost.event_id': eventId,
          'everpost.endpoint_id': endpointId,
          'everpost.delivery_id': `${eventId}.${endpointId}`,
          'everpost.run': 1,
          'everpost.attempt': 1,
          'everpost.way': way,
        }),
      }),
    ]);
    const started = spans.filter(({ name }) => name === 'StartWorkflow:deliverEvent');
    expect(started.map((it) => [it.parentSpanId, it.attributes['temporalWorkflowId']])).toEqual(
      way === 'express' ? [] : [[ingest.spanId, `delivery/${eventId}/${endpointId}`]],
    );
    expect(collector.text()).not.toMatch(/secret-of-the-url|secret-data|whsec_|svc_live|command_args/);
  });

  it('keeps retries after a crash, and replays, in the trace of their event (a restarted worker takes 10 s)', async () => {
    const settings = collector.settings('http/protobuf');
    receiver.answerWith((_request, count) => (count <= 2 ? 503 : 200));
    const first = await installation.start(settings);
    const caller = await installation.caller(first);
    const { traceId, traceparent } = buildTrace();
    const eventId = await sendIn(caller, traceparent, { options: { retry_schedule: [0, 2, 2] } });
    const isOurs = (span: ExportedSpan): boolean => span.traceId === traceId && isAttempt(span);
    await collector.waitFor(1, isOurs);
    await first.kill();

    const second = apiClient((await installation.start(settings)).url!, caller.key);
    const isDelivered = ({ body }: ApiAnswer): boolean => body.status === 'delivered';
    await eventually(() => second.get(`/api/v1/webhooks/events/${eventId}`), isDelivered);
    expect((await second.post(`/api/v1/webhooks/events/${eventId}/replay`)).status).toBe(202);

    const attempts = await collector.waitFor(4, isOurs);
    const told = attempts.map(
      ({ failed, attributes: { 'everpost.run': run, 'everpost.attempt': attempt, ...rest } }) => [
        run,
        attempt,
        failed,
        rest['error.type'],
      ],
    );
    expect(told).toEqual([
      [1, 1, true, '503'],
      [1, 2, true, '503'],
      [1, 3, false, undefined],
      [2, 1, false, undefined],
    ]);
    expect(new Set(attempts.map(({ parentSpanId }) => parentSpanId)).size).toBe(1);
  });

  it('sends the traceparent of its attempt to a receiver that asks for it', async () => {
    const caller = await installation.caller(await installation.start(collector.settings('http/protobuf')));
    const { traceId } = await sendTraced(caller, { options: { send_traceparent: true } });

    const [attempt] = await collector.waitFor(1, (span) => span.traceId === traceId && isAttempt(span));
    expect(receiver.requests[0]!.headers['traceparent']).toBe(`00-${traceId}-${attempt!.spanId}-01`);
  });

  it('begins a trace for a call without one, which its log line names', async () => {
    const process = await installation.start(collector.settings('http/protobuf'));
    const eventId = await sendIn(await installation.caller(process), undefined);

    const ofEvent = ({ attributes }: ExportedSpan): boolean => attributes['everpost.event_id'] === eventId;
    const spans = await collector.waitFor(2, ofEvent);
    const ingest = spans.find(({ kind }) => kind === 'server')!;
    expect([ingest.parentSpanId, spans.find(isAttempt)!.parentSpanId]).toEqual(['', ingest.spanId]);
    expect(linesOf(process)).toContainEqual(
      expect.objectContaining({ msg: 'request', trace_id: ingest.traceId, span_id: ingest.spanId }),
    );
  });

  it('exports nothing of a trace that its caller does not sample', async () => {
    const caller = await installation.caller(await installation.start(collector.settings('http/protobuf')));
    const { traceId, spanId } = buildTrace();
    await sendIn(caller, `00-${traceId}-${spanId}-00`);
    await receiver.waitFor(1);
    const sampled = await sendTraced(caller);

    await collector.waitFor(3, inTrace(sampled.traceId));
    expect(collector.spans.filter(inTrace(traceId))).toEqual([]);
  });

  it('gives each event that no call creates a trace of its own', async () => {
    receiver.answerWith(({ headers }) => (headers['x-webhook-type'] === 'everpost.endpoint.disabled' ? 200 : 410));
    const caller = await installation.caller(await installation.start(collector.settings('http/protobuf')));
    await caller.register({ url: receiver.url, events: ['everpost.endpoint.disabled'] });
    await sendIn(caller, undefined, { options: { disable_on_gone: true } });

    const ofDisabled = ({ attributes }: ExportedSpan): boolean =>
      attributes['everpost.event_type'] === 'everpost.endpoint.disabled';
    const [attempt] = await collector.waitFor(1, ofDisabled);
    const spans = await collector.waitFor(3, inTrace(attempt!.traceId));
    expect(spans.find(({ parentSpanId }) => parentSpanId === '')).toMatchObject({
      name: 'accept event',
      kind: 'producer',
    });
  });

  it('flushes the last spans when it stops', async () => {
    const settings = { ...collector.settings('grpc'), OTEL_BSP_SCHEDULE_DELAY: '3600000' };
    const process = await installation.start(settings);
    const { traceId } = await sendTraced(await installation.caller(process));
    expect(collector.spans.filter(inTrace(traceId))).toEqual([]);

    await process.stop();

    await collector.waitFor(2, inTrace(traceId));
  });
});

// The SDK would wait for an hour.
const PATIENT = { OTEL_EXPORTER_OTLP_TIMEOUT: '3600000', OTEL_BSP_EXPORT_TIMEOUT: '3600000' };

describe('a collector that does not answer', () => {
  it('delays no delivery, and keeps a process from stopping for 5 s at most', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const process = await installation.start({ ...PATIENT, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await sendTraced(await installation.caller(process));

    await process.stop();

    expect(linesOf(process).filter(({ level }) => level >= 50)).toEqual([]);
    silent.close();
  });

  it('is logged, without its headers', async () => {
    const process = await installation.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20secret-of-the-collector',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    await sendTraced(await installation.caller(process));

    const isWarned = (): boolean => linesOf(process).some((line) => line['part'] === 'opentelemetry');
    await eventually(isWarned, Boolean);
    expect(process.log()).not.toContain('secret-of-the-collector');
  });
});

describe('without a collector', () => {
  /** Writes at its end which packages of OpenTelemetry a process has loaded. */
  const PROBE = `process.on('exit', () => console.log(JSON.stringify({ packages: [...new Set(Object.keys(require.cache)
    .map((path) => /@opentelemetry.([a-z-]+)/.exec(path)?.[1]).filter(Boolean))] })));`;
  const folder = useTemporaryFolder();

  /** @returns the packages that a process has loaded when it stops */
  async function packagesOf(env: Record<string, string>): Promise<readonly string[]> {
    const file = join(folder(), 'probe.js');
    writeFileSync(file, PROBE);
    const process = await installation.start({ NODE_OPTIONS: `--require ${file}`, ...env });
    await sendTraced(await installation.caller(process));
    await process.stop();
    return linesOf(process).find(({ packages }) => packages)!.packages!;
  }

  it('loads no SDK', async () => {
    expect(await packagesOf({})).toEqual(['api']);
  });

  it('loads no SDK if OTEL_SDK_DISABLED is true', async () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' };
    expect(await packagesOf(settings)).toEqual(['api']);
  });

  it('loads it if there is an address', async () => {
    expect(await packagesOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/v1/traces' })).toContain(
      'sdk-node',
    );
  });
});

/** Sends an event in a new trace, and waits until the receiver has it. */
async function sendTraced(caller: Caller, options?: object) {
  const trace = buildTrace();
  const eventId = await sendIn(caller, trace.traceparent, options);
  const isIt = ({ headers }: ReceivedRequest): boolean => headers['x-webhook-id'] === String(eventId);
  await eventually(() => receiver.requests.some(isIt), Boolean);
  return { ...trace, eventId };
}
