import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const CHART = join(ROOT, 'deploy', 'helm', 'everpost');

/** An object of Kubernetes, as far as the tests look at it. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has its own
  readonly spec?: any;
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** A container of a rendered pod. */
export interface Container {
  readonly command: readonly string[];
  readonly env: readonly Variable[];
  readonly envFrom?: readonly { readonly secretRef?: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly [probe: `${string}Probe`]:
    | { readonly httpGet: { readonly path: string; readonly port: string } }
    | undefined;
}

/** Path of Helm; undefined where it was not installed (`.ci/chart-tools` does it, `.ci/run` calls that). */
function findHelm(): string | undefined {
  const { status, stdout } = spawnSync(join(ROOT, '.ci', 'chart-tools'), ['--installed'], { encoding: 'utf8' });
  return status === 0 ? join(stdout.trim(), 'helm') : undefined;
}

export const helm = findHelm();

/** What Helm makes of the chart, or why it refuses. @param values are merged into those of the chart */
export function renderChart(values: object): { readonly objects: readonly KubernetesObject[]; readonly error: string } {
  const args = ['template', 'everpost', CHART, '--namespace', 'hooks', '--values', '-'];
  const { status, stdout, stderr } = spawnSync(helm!, args, { input: JSON.stringify(values), encoding: 'utf8' });
  const objects = status === 0 ? parseAllDocuments(stdout).map((it) => it.toJS() as KubernetesObject | null) : [];
  return { objects: objects.filter((it) => it !== null), error: status === 0 ? '' : stderr };
}

/** The object of that kind and name. @throws Error if there is none */
export function objectOf(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((it) => it.kind === kind && it.metadata.name === name);
  if (!found) throw new Error(`the chart made no ${kind} named ${name}`);
  return found;
}

/** The first container of a Deployment or a Job. */
export function containerOf({ spec }: KubernetesObject): Container {
  const pod = spec as { template: { spec: { containers: [Container] } } };
  return pod.template.spec.containers[0];
}

/** The environment that a kubelet would give the container: Secrets first, then its own variables. */
export function environmentOf(objects: readonly KubernetesObject[], { env, envFrom = [] }: Container) {
  const secrets = envFrom.map(({ secretRef }) => objectOf(objects, 'Secret', secretRef!.name).stringData);
  return Object.assign({}, ...secrets, Object.fromEntries(env.map(({ name, value }) => [name, value]))) as Record<
    string,
    string
  >;
}
