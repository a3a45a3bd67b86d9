import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { parse } from 'yaml';
import { readComposeFile } from '../../bench/topology/compose-file';
import { loadConfig } from '../../src/config';
import { SECRET_SETTINGS } from '../../src/secret-files';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';

const ROOT = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** Read by Temporal's own package (`@temporalio/envconfig`), which config.ts hands the environment to. */
const TEMPORALS_OWN = [
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_PROFILE',
];

/** Read by OpenTelemetry's SDK, from the environment. */
const OPENTELEMETRYS_OWN = [
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];

/** Passwords of the servers in docker-compose.yml; no process of Everpost reads them. */
const COMPOSE_PASSWORDS = ['MONGO_ADMIN_PASSWORD', 'MONGO_EVERPOST_PASSWORD', 'POSTGRES_PASSWORD'];
const COMPOSE_ONLY = [...COMPOSE_PASSWORDS, 'EVERPOST_MEMORY'];

/** Compose has its own servers, ports and addresses. */
const SET_BY_COMPOSE = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'METRICS_PORT',
  'MONGODB_URI',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
];

/** Of the servers that `npm start` runs. */
const NPM_START_ONLY = [
  'MONGODB_PORT',
  'MONGOD_BINARY',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'TEMPORAL_BINARY',
  'EVERPOST_DATA_DIR',
  'XDG_CACHE_HOME',
];

/** They name a file, which needs a mount too (docs/deployment.md). */
const FILES = ['DELIVERY_CA_FILE', 'NODE_EXTRA_CA_CERTS', ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];

interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly mem_limit?: string;
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const { api, worker } = compose.services;
const services = Object.entries(compose.services);

/** Names in the schema of src/config.ts, and of the files that may hold a secret. */
function configured(): string[] {
  const schema = /^const settings = z\.object\(\{\n([\s\S]*?)^\}\);/m.exec(read('src/config.ts'))?.[1] ?? '';
  const names = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map((match) => match[1]!);
  return [...names, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];
}

/** Settings of .env.example, each with what it shows. */
const shown = [...read('.env.example').matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
  (match) => [match[1]!, match[2]!] as const,
);

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

describe('every setting', () => {
  const expected = sorted([...configured(), ...TEMPORALS_OWN, ...OPENTELEMETRYS_OWN, ...COMPOSE_ONLY]);

  it('is in src/config.ts', () => {
    expect(configured().length).toBeGreaterThan(20);
    expect(configured()).toContain('MONGODB_URI');
  });

  it('is in .env.example, which has no others', () => {
    expect(shown.map(([name]) => name).sort()).toEqual(expected);
  });

  it('is in docs/configuration.md, which has no others', () => {
    const rows = read('docs/configuration.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) =>
      [...row.split(' | ')[0]!.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map((match) => match[1]!),
    );
    expect(sorted(listed)).toEqual(expected);
  });

  it('has the same default in .env.example as in the code', () => {
    // These have an example value, as the comment above each of them says.
    const examples = new Set([
      'ALLOWED_HOSTS',
      'MAX_CONNECTIONS',
      'TRUSTED_PROXIES',
      'MONGODB_URI',
      'TEMPORAL_ADDRESS',
      'DELIVERY_ALLOW_CIDRS',
      'DELIVERY_DENY_CIDRS',
      'DELIVERY_PROXY',
      'TIERS',
    ]);
    const defaults = shown.filter(([name]) => configured().includes(name) && !examples.has(name));
    expect(loadConfig(Object.fromEntries(defaults))).toEqual(loadConfig({}));
  });

  it('has a usable example in the table', () => {
    expect(() => loadConfig(Object.fromEntries(shown))).not.toThrow();
  });

  it('reaches the processes of PROCESSES unchanged', () => {
    const config = loadConfig(Object.fromEntries(shown));
    expect(config.delivery.proxy).toBeDefined();
    // How a parent process sends it (`serialization: 'advanced'`).
    const received: unknown = deserialize(serialize(config));
    // In words: what is received has the classes of another realm than the test's.
    expect(inspect(received, { depth: null })).toBe(inspect(config, { depth: null }));
  });
});

describe('docker-compose.yml', () => {
  it('gives API and worker the same settings, all of them known', () => {
    const known = [...configured(), ...OPENTELEMETRYS_OWN];
    expect(Object.keys(api?.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
    expect(worker?.environment).toEqual(api?.environment);
  });

  it('passes every setting on that an operator can change, and has no others', () => {
    const passed = services.flatMap(([, { environment }]) =>
      Object.values(environment ?? {}).flatMap((value) => /^\$\{([A-Z][A-Z0-9_]*):/.exec(value)?.[1] ?? []),
    );
    const own = [...SET_BY_COMPOSE, ...NPM_START_ONLY, ...FILES];
    const expected = [
      ...configured().filter((name) => !own.includes(name)),
      ...OPENTELEMETRYS_OWN,
      ...COMPOSE_PASSWORDS,
    ];
    expect(sorted(passed)).toEqual(sorted(expected));
    expect(own.filter((name) => !configured().includes(name))).toEqual([]);
  });

  it('needs only variables that .env.example lists', () => {
    const asked = [...read('docker-compose.yml').matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map((match) => match[1]!);
    const listed = read('.env.example');
    expect(sorted(asked).filter((name) => !listed.includes(`#${name}=`))).toEqual([]);
    expect(asked).toEqual(expect.arrayContaining(COMPOSE_ONLY));
  });

  it('has settings that production accepts', () => {
    const secrets = Object.fromEntries(COMPOSE_PASSWORDS.map((name) => [name, 'secret']));
    const environmentOf = readComposeFile(join(ROOT, 'docker-compose.yml'), {
      ...secrets,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    });
    const config = loadConfig(environmentOf('api'));
    expect(config.production).toBe(true);
    expect(config.mongodb.uri).toBe('mongodb://everpost:secret@mongodb:27017/everpost?replicaSet=everpost');
    expect(config.temporal).toMatchObject({ address: 'temporal:7233', namespace: 'default' });
    expect(config.encryptionKeys).toHaveLength(1);
  });

  it('registers the search attributes of deliveries', () => {
    const listed = compose.services['temporal-namespace']?.environment?.['SEARCH_ATTRIBUTES'];
    expect(listed?.split(' ')).toEqual([...SEARCH_ATTRIBUTES]);
  });

  it('pins every image by its exact version, and those of which a digest is known by that', () => {
    const images = services.map(([, { image }]) => image ?? '');
    expect(images.filter((image) => !/^[a-z/-]+:\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/.test(image))).toEqual([]);
    expect(images.filter((image) => /^(mongo|postgres):/.test(image) && !image.includes('@'))).toEqual([]);
  });

  it('limits the memory of every container, as the chart does', () => {
    const { worker: ofChart } = parse(read('deploy/helm/everpost/values.yaml')) as {
      worker: { resources: { limits: { memory: string } } };
    };
    expect(services.filter(([, { mem_limit: most }]) => most === undefined).map(([name]) => name)).toEqual([]);
    expect(ofChart.resources.limits.memory).toBe('1Gi');
    expect([api?.mem_limit, worker?.mem_limit]).toEqual(Array(2).fill('${EVERPOST_MEMORY:-1g}'));
  });

  it('publishes ports on the loopback address only', () => {
    const ports = services.flatMap(([, { ports: published }]) => published ?? []);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('restarts what should run, with a health check for each', () => {
    const lasting = services.filter(([, { restart }]) => restart === 'unless-stopped');
    expect(lasting.map(([name]) => name)).toEqual(
      expect.arrayContaining(['mongodb', 'postgresql', 'temporal', 'temporal-ui', 'api', 'worker']),
    );
    // The worker's health check is the image's own.
    expect(lasting.filter(([name, { healthcheck }]) => !healthcheck && name !== 'worker')).toEqual([]);
    expect(read('Dockerfile')).toContain('\nHEALTHCHECK ');
  });

  it('waits only for existing services', () => {
    const awaited = services.flatMap(([, { depends_on: needs }]) => Object.entries(needs ?? {}));
    for (const [name, { condition }] of awaited) {
      const lasts = compose.services[name]?.restart === 'unless-stopped';
      expect([name, condition]).toEqual([name, lasts ? 'service_healthy' : 'service_completed_successfully']);
    }
  });

  it('declares the volumes that it uses', () => {
    const used = services.flatMap(([, { volumes }]) => volumes ?? []).map((volume) => volume.split(':')[0]!);
    expect(sorted(used.filter((name) => !name.startsWith('.')))).toEqual(sorted(Object.keys(compose.volumes)));
  });

  it('contains no password', () => {
    expect(read('docker-compose.yml')).not.toMatch(/(PASSWORD|PWD|KEY): (?!\$\{[A-Z_]+:\?)/);
  });
});
