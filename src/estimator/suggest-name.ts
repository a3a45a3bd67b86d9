import { closest, distance } from 'fastest-levenshtein';
import { keyOf, PROVIDERS, type CatalogIndex } from '../domain/catalog';
import type { EstimateProblem } from '../domain/estimate-item';

/** Longer texts are no misspelt names. */
const MAX_LENGTH = 60;
const MIN_PREFIX = 3;
const SHOWN_NAMES = 10;

type UnknownName = Exclude<EstimateProblem, { kind: 'invalid' }>;

/** What the caller of an unknown service or instance may have meant, to be read after the problem; or nothing. */
export function suggestName(index: CatalogIndex, { kind, provider, service, instance }: UnknownName): string {
  if (kind === 'unknown_instance') {
    const instances = index.findService(provider, service)!.entries.map(({ entry }) => entry.instance);
    const near = nearest(instance ?? '', instances);
    return near === undefined ? `; it has ${listOf(instances)}` : `; did you mean "${near}"?`;
  }
  const services = index.servicesOf(provider);
  const near = nearest(
    service,
    services.map(({ name }) => name),
  );
  const elsewhere = PROVIDERS.find((other) => index.findService(other, service));
  if (elsewhere) return `; ${elsewhere} has it`;
  if (near !== undefined) return `; did you mean "${near}"?`;
  const owner = services.find((candidate) => candidate.find(service));
  return owner ? `; it is an instance of "${owner.name}"` : '';
}

/** The name that begins like it, or that is a third of its letters away at most. */
function nearest(given: string, names: readonly string[]): string | undefined {
  const key = keyOf(given);
  if (key === '' || key.length > MAX_LENGTH) return undefined;
  const nameOf = new Map(names.map((name) => [keyOf(name), name]));
  const keys = [...nameOf.keys()];
  const longer = key.length < MIN_PREFIX ? undefined : keys.find((other) => other.startsWith(key));
  if (longer !== undefined) return nameOf.get(longer);
  const near = closest(key, keys);
  return distance(key, near) <= Math.max(1, Math.floor(near.length / 3)) ? nameOf.get(near) : undefined;
}

function listOf(names: readonly string[]): string {
  return [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ['…'] : [])].join(', ');
}
