import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { containerOf, environmentOf, helm, objectOf, renderChart } from '../support/render-chart';

const ROOT = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const CHART = 'deploy/helm/everpost';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const values = parse(read(`${CHART}/values.yaml`)) as Record<string, unknown>;
const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as Schema;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maps that belong to Kubernetes or to the user: documented as one value. */
const WHOLE = /(^|\.)(resources|selector)$/;

/** Every value with its path; a map is gone into unless it is empty or whole. */
function leavesOf(map: Record<string, unknown>, above = ''): [path: string, value: unknown][] {
  return Object.entries(map).flatMap(([name, value]) => {
    const path = above + name;
    return isMap(value) && Object.keys(value).length > 0 && !WHOLE.test(path)
      ? leavesOf(value, `${path}.`)
      : [[path, value] as [string, unknown]];
  });
}

const resolve = (part: Schema | undefined): Schema | undefined =>
  part?.$ref ? schema.$defs![part.$ref.replace('#/$defs/', '')] : part;

describe('the values of the chart', () => {
  const leaves = leavesOf(values);
  const rows = [...read(`${CHART}/README.md`).matchAll(/^\| `([^`]+)` \| (.+?) \| /gm)].map(
    ([, path, shown]) => [path!, shown!] as const,
  );

  it('are all in its README, which has no others', () => {
    expect(rows.map(([path]) => path)).toEqual(leaves.map(([path]) => path));
  });

  it('have the defaults that the README shows', () => {
    const shown = new Map(rows);
    const simple = leaves.filter(([, value]) => JSON.stringify(value).length < 3 || !(value instanceof Object));
    expect(simple.length).toBeGreaterThan(60);
    for (const [path, value] of simple) expect([path, shown.get(path)]).toEqual([path, `\`${JSON.stringify(value)}\``]);
  });

  it('are all in its schema, which knows no others', () => {
    const unknown = leaves.filter(([path]) => {
      let part: Schema | undefined = schema;
      for (const name of path.split('.')) {
        if (part?.additionalProperties !== false) return true;
        part = resolve(part.properties?.[name]);
      }
      return part === undefined;
    });
    expect(unknown).toEqual([]);
  });
});

it('the chart has the version of the product', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});

it("the Job that prepares Temporal's namespace has Compose's image and script", () => {
  const { prepareNamespace } = values['temporal'] as { prepareNamespace: { image: string } };
  expect(read('docker-compose.yml')).toContain(`image: ${prepareNamespace.image}\n`);
});

it.each([
  ['prepare-namespace.sh', 'deploy/temporal/prepare-namespace.sh'],
  ['alerts.yml', 'deploy/prometheus/alerts.yml'],
  ['everpost.json', 'deploy/grafana/everpost.json'],
])('%s of the chart is a link to the one file in deploy/', (file, source) => {
  expect(lstatSync(join(ROOT, CHART, 'files', file)).isSymbolicLink()).toBe(true);
  expect(read(`${CHART}/files/${file}`)).toBe(read(source));
});

it('neither the chart nor its documentation proposes ingress-nginx, which gets no more security fixes', () => {
  for (const file of [
    'docs/kubernetes.md',
    `${CHART}/README.md`,
    `${CHART}/values.yaml`,
    `${CHART}/ci/everything.yaml`,
  ])
    expect([file, /className: ['"]?nginx/.test(read(file))]).toEqual([file, false]);
});

const GIVEN = {
  image: { repository: 'registry.example.com/everpost' },
  mongodb: { uri: 'mongodb://mongodb:27017/everpost' },
  temporal: { address: 'temporal:7233' },
  encryptionKey: Buffer.alloc(32).toString('base64'),
};

const describeWithHelm = helm ? describe : describe.skip;

describeWithHelm(helm ? 'helm template' : 'helm template: .ci/chart-tools installed none here', () => {
  const egressOf = (role: string, more: object): string => {
    const { objects } = renderChart({ ...GIVEN, ...more, networkPolicy: { enabled: true } });
    return JSON.stringify((objectOf(objects, 'NetworkPolicy', `everpost-${role}`).spec as { egress: object }).egress);
  };

  it.each([
    ['the image', { image: {} }, 'Set image.repository to the image that you pushed to your registry'],
    ['the connection string', { mongodb: {} }, 'or existingSecret to the name of a Secret with the key MONGODB_URI.'],
    ['the address', { temporal: {} }, 'or existingSecret to the name of a Secret with the key TEMPORAL_ADDRESS.'],
    ['the key', { encryptionKey: '' }, 'or existingSecret to the name of a Secret with the key ENCRYPTION_KEY.'],
    ['time to stop', { api: { preStopSeconds: 20 } }, 'Set api.terminationGracePeriodSeconds to at least 40 seconds'],
    ['a value that exists', { mongo: {} }, "additional properties 'mongo' not allowed"],
  ])('stops with a sentence if %s is missing', (_, without, sentence) => {
    expect(renderChart(GIVEN).error).toBe('');
    expect(renderChart({ ...GIVEN, ...without }).error).toContain(sentence);
  });

  it('needs no secret value if a Secret exists', () => {
    const { objects, error } = renderChart({ image: GIVEN.image, existingSecret: 'mine' });
    expect(error).toBe('');
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(containerOf(objectOf(objects, 'Deployment', 'everpost-api')).envFrom).toEqual([
      { secretRef: { name: 'mine' } },
    ]);
  });

  it('keeps secrets out of the pods, and starts new pods when one changes', () => {
    const podOf = (uri: string): string => {
      const { objects } = renderChart({ ...GIVEN, mongodb: { uri } });
      return JSON.stringify(objectOf(objects, 'Deployment', 'everpost-worker').spec);
    };
    const first = podOf('mongodb://user:first@mongodb/everpost');
    expect(first).not.toContain('first@');
    expect(podOf('mongodb://user:second@mongodb/everpost')).not.toBe(first);
  });

  it('needs no secret value if files have them', () => {
    const files = { MONGODB_URI_FILE: '/run/mongodb-uri', ENCRYPTION_KEY_FILE: '/run/encryption-key' };
    const { objects, error } = renderChart({ ...GIVEN, mongodb: {}, encryptionKey: '', settings: files });
    expect(error).toBe('');
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(environmentOf(objects, containerOf(objectOf(objects, 'Deployment', 'everpost-worker')))).toMatchObject(
      files,
    );
  });

  it('makes a PrometheusRule and a dashboard of the files in deploy/', () => {
    const { objects } = renderChart({
      ...GIVEN,
      metrics: { prometheusRule: { enabled: true, labels: { release: 'prometheus' } }, dashboard: { enabled: true } },
    });
    const rule = objectOf(objects, 'PrometheusRule', 'everpost');
    expect(rule.spec).toEqual(parse(read('deploy/prometheus/alerts.yml')));
    expect(rule.metadata).toMatchObject({ labels: { release: 'prometheus' } });
    const dashboard = objectOf(objects, 'ConfigMap', 'everpost-dashboard');
    expect(JSON.parse(dashboard.data!['everpost.json']!)).toEqual(JSON.parse(read('deploy/grafana/everpost.json')));
    expect(dashboard.metadata).toMatchObject({ labels: { grafana_dashboard: '1' } });
  });

  it('makes an HTTPRoute that leads to the API', () => {
    const httpRoute = { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['hooks.example.com'] };
    const { objects } = renderChart({ ...GIVEN, httpRoute });
    const service = objectOf(objects, 'Service', 'everpost');
    expect(objectOf(objects, 'HTTPRoute', 'everpost').spec).toMatchObject({
      parentRefs: httpRoute.parentRefs,
      hostnames: httpRoute.hostnames,
      rules: [{ backendRefs: [{ name: service.metadata.name, port: service.spec.ports[0].port }] }],
    });
    expect(renderChart({ ...GIVEN, httpRoute: { enabled: true } }).error).toContain('Set httpRoute.parentRefs');
    expect(renderChart({ ...GIVEN, ingress: { enabled: true } }).error).toContain('Set ingress.hosts');
  });

  it('writes a big number as a setting can be read', () => {
    const { objects } = renderChart({ ...GIVEN, settings: { INGEST_MAX_WAITING_BYTES: 67_108_864 } });
    const api = containerOf(objectOf(objects, 'Deployment', 'everpost-api'));
    expect(environmentOf(objects, api)).toMatchObject({ INGEST_MAX_WAITING_BYTES: '67108864' });
  });

  it('lets API pods reach the Internet only if they send', () => {
    const port443 = '"port":443';
    expect(egressOf('api', {})).toContain(port443);
    expect(egressOf('api', { settings: { FIRST_ATTEMPT: 'workflow' } })).not.toContain(port443);
    expect(egressOf('api', { settings: { FIRST_ATTEMPT: 'workflow', ENDPOINT_VERIFICATION: 'challenge' } })).toContain(
      port443,
    );
    expect(egressOf('worker', { settings: { FIRST_ATTEMPT: 'workflow' } })).toContain(port443);
  });

  it('opens the ports of DELIVERY_ALLOW_PORTS and no private range', () => {
    const egress = egressOf('worker', { settings: { DELIVERY_ALLOW_PORTS: '443, 20000-30000' } });
    expect(egress).toContain('[{"protocol":"TCP","port":443},{"protocol":"TCP","port":20000,"endPort":30000}]');
    expect(egress).toContain('"except":["10.0.0.0/8",');
  });

  it('makes the search attributes of deliveries, if asked', () => {
    const { objects } = renderChart({
      ...GIVEN,
      temporal: { ...GIVEN.temporal, prepareNamespace: { enabled: true } },
    });
    const job = containerOf(objectOf(objects, 'Job', 'everpost-prepare-namespace'));
    expect(environmentOf(objects, job)['SEARCH_ATTRIBUTES']).toBe(SEARCH_ATTRIBUTES.join(' '));
  });
});
