import { PROVIDERS, providerOf, type CatalogIndex, type PricedEntry, type Provider } from './catalog';
import { USAGE_FIELDS } from './price-unit';

/** A chosen service and its usage, as in POST /api/cost-estimator. */
export interface EstimateItem {
  /** One of the providers, in either spelling. */
  readonly provider: string;
  readonly service: string;
  /** If absent: the first instance of the service. */
  readonly instance?: string;
  /** Instances or units; the price unit defines what it counts (`formOfPriceUnit`). */
  readonly quantity: number;
  readonly hoursPerMonth?: number;
  readonly gbPerMonth?: number;
}

/** One problem of the items of an estimate. */
export type EstimateProblem =
  | {
      /** Malformed: of the wrong type, missing, out of range. */
      readonly kind: 'invalid';
      /** `items`, `items[2]` or `items[2].quantity`. */
      readonly path: string;
      /** What would be right, to read after the path: `must be a number`. */
      readonly message: string;
    }
  | {
      /** Well-formed, but not in the catalog. */
      readonly kind: 'unknown_service' | 'unknown_instance';
      readonly path: string;
      readonly message: string;
      readonly provider: Provider;
      readonly service: string;
      readonly instance: string | undefined;
    };

/** An item that can be priced, or its problems. */
export type CheckedItem =
  | { readonly ok: true; readonly item: EstimateItem; readonly priced: PricedEntry }
  | { readonly ok: false; readonly problems: readonly EstimateProblem[] };

/** The largest `quantity` (docs/spec.md, "Cost estimator"). */
export const MAX_QUANTITY = 1_000_000_000;

/**
 * Checks one item and finds it in the catalog. Fields that the price unit does not use are checked too. Unknown fields
 * are ignored, because callers paste whole catalog entries.
 *
 * @param path the place of the item, for the problems
 */
export function checkItem(index: CatalogIndex, value: unknown, path: string): CheckedItem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problems: [{ kind: 'invalid', path, message: 'must be an object' }] };
  }
  const item = value as Record<keyof EstimateItem, unknown>;
  const problems: EstimateProblem[] = [];
  const check = (field: keyof EstimateItem, message: string | undefined): void => {
    if (message !== undefined) problems.push({ kind: 'invalid', path: `${path}.${field}`, message });
  };
  check('provider', problemOfProvider(item.provider));
  check('service', problemOfText(item.service, true));
  check('instance', problemOfText(item.instance, false));
  check('quantity', problemOfNumber(item.quantity, MAX_QUANTITY, true));
  check('hoursPerMonth', problemOfNumber(item.hoursPerMonth, USAGE_FIELDS.hoursPerMonth.most, false));
  check('gbPerMonth', problemOfNumber(item.gbPerMonth, USAGE_FIELDS.gbPerMonth.most, false));
  if (problems.length > 0) return { ok: false, problems };
  return find(index, item as unknown as EstimateItem, path);
}

function find(index: CatalogIndex, item: EstimateItem, path: string): CheckedItem {
  const provider = providerOf(item.provider)!;
  const asked = { provider, service: item.service, instance: item.instance };
  const service = index.findService(provider, item.service);
  if (!service) {
    const message = `is not a service of ${provider} in the catalog`;
    return { ok: false, problems: [{ kind: 'unknown_service', path: `${path}.service`, message, ...asked }] };
  }
  const priced = item.instance === undefined ? service.entries[0] : service.find(item.instance);
  if (!priced) {
    const message = `is not an instance of ${provider} ${service.name} in the catalog`;
    return { ok: false, problems: [{ kind: 'unknown_instance', path: `${path}.instance`, message, ...asked }] };
  }
  return { ok: true, item, priced };
}

function problemOfProvider(value: unknown): string | undefined {
  const problem = problemOfText(value, true);
  if (problem !== undefined) return problem;
  if (providerOf(value as string)) return undefined;
  return `must be one of ${PROVIDERS.join(', ')} (or cloud_a, cloud_b, cloud_c)`;
}

function problemOfText(value: unknown, required: boolean): string | undefined {
  if (value === undefined) return required ? 'is required' : undefined;
  return typeof value === 'string' ? undefined : 'must be a string';
}

function problemOfNumber(value: unknown, most: number, required: boolean): string | undefined {
  if (value === undefined) return required ? 'is required' : undefined;
  if (typeof value !== 'number') return 'must be a number';
  // NaN and the infinities fail here too.
  return value >= 0 && value <= most ? undefined : `must be a number from 0 to ${most}`;
}
