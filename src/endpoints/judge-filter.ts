import { isGroup, isObject, MISSING, operatorOf, valuesAt, type Group } from './match-filter';

/** A condition on one field, and what the data has there. */
export interface Condition {
  /** Its place in the filter: `$or.0.total.$gte`. */
  readonly path: string;
  readonly field: string;
  readonly operator: string;
  readonly operand: unknown;
  /** The values at the field, as JSON, cut off if they are long; null if there is none. */
  readonly found: () => string | null;
}

/** Whether data meets a filter, and the conditions that decided it. */
export interface Verdict {
  readonly matches: boolean;
  /**
   * If it matches, conditions that are met, otherwise conditions that are not; below `$nor` the other way round. Each
   * one alone keeps the data out, except the alternatives of an `$or`: all of them together do.
   */
  readonly decidedBy: readonly Condition[];
}

/** Enough to recognise a value, or the first ones of a list. */
const MAX_FOUND_LENGTH = 200;
const MAX_FOUND_VALUES = 5;

/**
 * Judges data by a filter without problems (`problemsOfFilter`). Evaluates each condition once, with the conditions of
 * the matcher.
 *
 * @param data as `JSON.parse` returns it
 */
export function judge(filter: object, data: unknown, path: readonly string[] = []): Verdict {
  const parts = Object.entries(filter).map(([key, value]): Verdict => {
    const below = [...path, key];
    if (isGroup(key)) return judgeGroup(key, value as readonly object[], { data, path: below });
    if (!isObject(value)) return judgeOperator({ path: below, field: key, operator: '$eq', operand: value }, data);
    const operators = Object.entries(value);
    return all(
      operators.map(([operator, operand]) =>
        judgeOperator({ path: [...below, operator], field: key, operator, operand }, data),
      ),
    );
  });
  return all(parts);
}

function judgeGroup(
  group: Group,
  filters: readonly object[],
  { data, path }: { readonly data: unknown; readonly path: readonly string[] },
): Verdict {
  const parts = filters.map((filter, index) => judge(filter, data, [...path, String(index)]));
  return group === '$and' ? all(parts) : any(parts, group);
}

function all(parts: readonly Verdict[]): Verdict {
  const refusing = parts.filter(({ matches }) => !matches);
  return decided(refusing.length === 0, refusing.length === 0 ? parts : refusing);
}

function any(parts: readonly Verdict[], group: Group): Verdict {
  const matching = parts.filter(({ matches }) => matches);
  return decided(matching.length > 0 === (group === '$or'), matching.length > 0 ? matching : parts);
}

function decided(matches: boolean, parts: readonly Verdict[]): Verdict {
  return { matches, decidedBy: parts.flatMap(({ decidedBy }) => decidedBy) };
}

function judgeOperator(
  { path, ...about }: Pick<Condition, 'field' | 'operator' | 'operand'> & { readonly path: readonly string[] },
  data: unknown,
): Verdict {
  const { field, operator, operand } = about;
  const matches = operatorOf(operator, operand)(valuesAt(field.split('.'), data));
  return { matches, decidedBy: [{ ...about, path: path.join('.'), found: () => foundAt(field, data) }] };
}

function foundAt(field: string, data: unknown): string | null {
  const values: unknown[] = [];
  // A list at the end of the path is one value here, as the sender wrote it.
  const isEnough = (value: unknown): boolean => value !== MISSING && values.push(value) > MAX_FOUND_VALUES;
  valuesAt(field.split('.'), data)(isEnough, 'whole');
  if (values.length === 0) return null;
  const text = values.map((value) => JSON.stringify(value)).join(', ');
  // Without half of a character at the end.
  return text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
