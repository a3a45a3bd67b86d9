import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConstants } from '../../bench/sizing/constants';
import { PROFILES, sizeOf } from '../../bench/sizing/size';
import { ATTEMPT_ERROR_CODES } from '../../src/domain/delivery-state';
import { createMetrics } from '../../src/platform/metrics';
import { METRIC_SOURCES } from '../support/metric-sources';
import { lacking } from './languages';
import { namesIn } from './promql';

const ROOT = join(__dirname, '..', '..');
const PROMETHEUS = join(ROOT, 'deploy', 'prometheus');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: object;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
}

const dashboard = JSON.parse(read('deploy', 'grafana', 'everpost.json')) as {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
};
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const queries = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

const { groups } = parse(read('deploy', 'prometheus', 'alerts.yml')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

const prometheus = parse(read('deploy', 'prometheus', 'prometheus.yml')) as {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[];
  }[];
};

/** What Prometheus makes itself, for each process. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };

/** The output of `/metrics` once everything has happened. */
async function exposed(): Promise<{ metrics: Set<string>; labels: Map<string, Set<string>> }> {
  const metrics = createMetrics(METRIC_SOURCES);
  metrics.httpRequests.observe({ method: 'POST', route: '/api/v1/webhooks/events', status_code: 202 }, 0.004);
  metrics.ingestedEvents.inc({ result: 'accepted' });
  metrics.ingestedEvents.inc({ result: 'duplicate' });
  for (const outcome of ['success', ...ATTEMPT_ERROR_CODES]) metrics.attempts.observe({ outcome }, 0.1);
  metrics.limitedRequests.inc({ reason: 'rate_limit_exceeded' });
  const found = { metrics: new Set(OF_PROMETHEUS.metrics), labels: new Map<string, Set<string>>() };
  for (const label of OF_PROMETHEUS.labels) found.labels.set(label, new Set());
  for (const line of (await metrics.registry.metrics()).split('\n')) {
    const [, name, pairs = ''] = /^([a-z_]\w*)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    found.metrics.add(name);
    for (const [, label, value] of pairs.matchAll(/(\w+)="([^"]*)"/g)) {
      found.labels.set(label!, (found.labels.get(label!) ?? new Set()).add(value!));
    }
  }
  return found;
}

describe('the parser of queries', () => {
  it.each([
    ['sum(rate(a_total{job="x", code=~"5.."}[5m])) / sum(b)', ['a_total', 'b'], ['job', 'code']],
    [
      'histogram_quantile(0.95, sum by (le, route) (rate(c_bucket{route!="y"}[$__rate_interval])))',
      ['c_bucket'],
      ['route', 'le', 'route'],
    ],
    ['min_over_time(d[10m]) > 0 and on () (e or vector(0)) == 0', ['d', 'e'], []],
    ['up == 0', ['up'], []],
  ])('finds the names in %s', (expression, metrics, labels) => {
    expect(namesIn(expression)).toEqual({ metrics, labels });
  });
});

describe('every query', () => {
  const all = [
    ...queries.map(({ title, expr }) => ({ where: `panel "${title}"`, expr })),
    ...rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ];

  it.each(all)('of $where uses only metrics and labels that a process exports', async ({ expr }) => {
    const names = namesIn(expr);
    const there = await exposed();
    expect(names.metrics.length).toBeGreaterThan(0);
    expect(names.metrics.filter((name) => !there.metrics.has(name))).toEqual([]);
    expect(names.labels.filter((label) => !there.labels.has(label))).toEqual([]);
  });

  it('compares labels with possible values', async () => {
    const { labels } = await exposed();
    for (const { expr } of all) {
      for (const [, label, value] of expr.matchAll(/(outcome|result|reason|way|state)!?="([^"]*)"/g)) {
        expect([...labels.get(label!)!]).toContain(value);
      }
    }
  });

  it("together use each of the product's own metrics", async () => {
    const used = new Set(all.flatMap(({ expr }) => namesIn(expr).metrics));
    const own = [...(await exposed()).metrics].filter((name) => /^(everpost|http_server)_/.test(name));
    // The sum of a histogram is useless without its count, and not every part is needed.
    expect(own.filter((name) => !used.has(name) && !name.endsWith('_sum'))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('shows latencies, errors, outcomes, CPU and memory', () => {
    const shown = queries.map(({ expr }) => expr).join('\n');
    const asked = [
      'http_server_request_duration_seconds_bucket',
      'by (status_code)',
      'by (outcome)',
      'by (reason)',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ];
    expect(asked.filter((part) => !shown.includes(part))).toEqual([]);
    const duration = 'everpost_delivery_attempt_duration_seconds_bucket';
    for (const quantile of ['0.5', '0.95', '0.99']) {
      expect(shown).toMatch(new RegExp(`histogram_quantile\\(${quantile},.*${duration}`));
    }
  });

  it("has panels with a description and their own ids, which don't overlap", () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const panel of panels) {
      expect(panel).toMatchObject({ description: expect.stringMatching(/\.$/), datasource: { uid: '${datasource}' } });
      expect(panel.gridPos.x + panel.gridPos.w).toBeLessThanOrEqual(24);
    }
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_none, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('defines exactly the variables that it uses', () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = [...read('deploy', 'grafana', 'everpost.json').matchAll(/\$\{?([a-z]\w*)\}?/g)].map(
      (match) => match[1]!,
    );
    expect([...new Set(used)].sort()).toEqual([...names].sort());
  });

  it('takes the values of its variables from a metric that every process has', async () => {
    const { metrics } = await exposed();
    for (const { type, query } of dashboard.templating.list) {
      if (type !== 'query') continue;
      const text = typeof query === 'string' ? query : query.query;
      expect(metrics).toContain(/^label_values\((\w+)/.exec(text)?.[1]);
    }
  });
});

describe('the alert rules', () => {
  it('cover every promised alert', () => {
    const expressions = rules.map(({ expr }) => expr).join('\n');
    const promised = [
      'up{job="everpost"} == 0',
      'status_code=~"5.."',
      'outcome!="success"',
      'everpost_delivery_starts_waiting',
      'everpost_connections_refused_total',
      'everpost_endpoints{',
      'nodejs_eventloop_lag_p99_seconds',
      'everpost_mongodb_disk_used_bytes',
      'everpost_mongodb_cache_pages_read_total',
      'everpost_mongodb_connections',
    ];
    expect(promised.filter((part) => !expressions.includes(part))).toEqual([]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it.each(rules)('of $alert have a duration, a severity, a description and an instruction', (rule) => {
    expect(rule.alert).toMatch(/^Everpost[A-Z]/);
    expect(rule.for).toMatch(/^\d+m$/);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    const { runbook_url: runbookUrl, ...texts } = rule.annotations;
    expect(runbookUrl).toBe(`docs/runbook.md#${rule.alert.toLowerCase()}`);
    expect(Object.keys(texts).sort()).toEqual(['action', 'description', 'summary']);
    for (const text of Object.values(texts)) expect(text).toMatch(/[.)]$/);
    // Each is about our own processes only.
    const selectors = [...rule.expr.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]!);
    for (const selector of selectors) expect(selector).toContain('job="everpost"');
  });
});

describe('the runbook', () => {
  const sections = read('docs', 'runbook.md').split(/^## /m).slice(1);

  it('has a section for each alert, and no other', () => {
    expect(new Set(sections.map((section) => section.split('\n')[0]))).toEqual(
      new Set(rules.map(({ alert }) => alert)),
    );
    expect(sections).toHaveLength(rules.length);
  });

  it.each(sections.map((section) => [section.split('\n')[0], section]))(
    'of %s says what to notice, what it means, what to do and when to worry',
    (_alert, section) => {
      const points = [...section.matchAll(/^- \*\*(.+?)\*\*/gm)].map((match) => match[1]);
      expect(points).toEqual(['You notice', 'It means', 'Do', 'Worry when']);
    },
  );
});

describe('the walls of the sizing', () => {
  it('name metrics that a process exports, and alerts that exist', async () => {
    const load = { eventsPerS: 100, fanOut: 1, failing: 0.02, firstAttempt: 'auto' } as const;
    const { metrics } = await exposed();
    const signals = PROFILES.flatMap((profile) => sizeOf(load, readConstants(), profile).walls).map(
      ({ signal }) => signal,
    );
    expect(signals.length).toBeGreaterThan(5);
    const named = signals.flatMap((signal) => signal.match(/\bEverpost[A-Z]\w+/g) ?? []);
    expect(named.filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
    const measured = signals.flatMap((signal) => [...signal.matchAll(/`(\w+)`/g)].map((match) => match[1]!));
    expect(measured.filter((name) => !metrics.has(name) && !metrics.has(`${name}_count`))).toEqual([]);
  });
});

describe('the configuration of Prometheus', () => {
  it('loads the rules, and scrapes the services of docker-compose.yml on their metrics ports', () => {
    const compose = parse(read('docker-compose.yml'), { merge: true }) as {
      readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>;
    };
    const withMetrics = Object.entries(compose.services).filter(([, { environment }]) => environment?.['METRICS_PORT']);
    const [scrape] = prometheus.scrape_configs;
    const [discovery] = scrape!.dns_sd_configs;

    for (const file of prometheus.rule_files) expect(readdirSync(PROMETHEUS)).toContain(file);
    expect(scrape!.job_name).toBe('everpost');
    expect([...discovery!.names].sort()).toEqual(withMetrics.map(([name]) => name).sort());
    expect(new Set(withMetrics.map(([, { environment }]) => environment!['METRICS_PORT']))).toEqual(
      new Set([String(discovery!.port)]),
    );
  });
});

function promtool(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: PROMETHEUS, encoding: 'utf8' });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
}

/** Prometheus's own tool: it knows PromQL, and runs the rules against made-up series. */
const WITH_PROMTOOL: readonly (readonly [name: string, run: () => void])[] = [
  ['takes the configuration', () => promtool('check', 'config', 'prometheus.yml')],
  ['shows that each alert fires, and none without a cause', () => promtool('test', 'rules', 'alerts.test.yml')],
  [
    'understands every query of the dashboard',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'everpost-queries-'));
      try {
        const asRules = queries.map(({ expr }, index) => ({
          record: `query:${index}`,
          expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*'),
        }));
        writeFileSync(join(folder, 'queries.yml'), JSON.stringify({ groups: [{ name: 'queries', rules: asRules }] }));
        promtool('check', 'rules', join(folder, 'queries.yml'));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  ],
];

describe('promtool', () => {
  const missing = lacking('promtool', ['--version']);
  // oxlint-disable-next-line jest/no-disabled-tests, jest/expect-expect
  if (missing) it.skip.each(WITH_PROMTOOL)(`%s: ${missing}`, () => undefined);
  // oxlint-disable-next-line jest/expect-expect -- promtool() expects
  else it.each(WITH_PROMTOOL)('%s', (_name, run) => run());
});
