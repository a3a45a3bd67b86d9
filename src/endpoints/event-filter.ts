import { InvalidRequestError } from '../domain/errors';
import { judge, type Verdict } from './judge-filter';
import { createMatcher } from './match-filter';

/** A compiled condition on an event's `data`. */
export interface EventFilter {
  /** Number of values that it compares with: the highest cost for each value in the data. */
  readonly comparisons: number;
  /** Whether the data, as `JSON.parse` returns it, meets the condition. Never throws. */
  matches(data: unknown): boolean;
  /** The same, and the conditions that decided it. Never throws. */
  judge(data: unknown): Verdict;
}

/** Where a filter is wrong, from its top, and what would be right. */
export interface FilterProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The longest filter as JSON, the most values it may compare with, the deepest nesting of objects and lists, the
 * longest path.
 */
const MAX_FILTER_BYTES = 4_096;
const MAX_COMPARISONS = 100;
const MAX_NESTING = 16;
const MAX_PATH_SEGMENTS = 16;

/** The only operators: none runs code, and none takes a regular expression. */
const GROUPS: readonly string[] = ['$and', '$or', '$nor'];
const FIELD_OPERATORS = '$all $elemMatch $eq $exists $gt $gte $in $lt $lte $ne $nin $not $size'.split(' ');

/**
 * Finds the problems of a filter.
 *
 * @param filter a value as `JSON.parse` returns it
 * @returns every problem; empty for a filter that `compileFilter` accepts
 */
export function problemsOfFilter(filter: unknown): readonly FilterProblem[] {
  return inspect(filter).problems;
}

/**
 * Compiles a filter.
 *
 * @param filter an object as `JSON.parse` returns it
 * @throws InvalidRequestError naming every problem of it
 */
export function compileFilter(filter: unknown): EventFilter {
  const { problems, comparisons } = inspect(filter);
  if (problems.length > 0) {
    const details = problems.map(({ path, message }) => ({ path: path.join('.'), message }));
    throw new InvalidRequestError('The filter can not be used; see details.', 'invalid_request', details);
  }
  return { comparisons, matches: createMatcher(filter as object), judge: (data) => judge(filter as object, data) };
}

function inspect(filter: unknown): { problems: readonly FilterProblem[]; comparisons: number } {
  if (Buffer.byteLength(JSON.stringify(filter) ?? '') > MAX_FILTER_BYTES) {
    return { problems: [{ path: [], message: `must have at most ${MAX_FILTER_BYTES} bytes as JSON` }], comparisons: 0 };
  }
  const problems: FilterProblem[] = [];
  const comparisons = checkConditions({ value: filter, path: [], nesting: 1 }, problems);
  if (comparisons > MAX_COMPARISONS) {
    problems.push({ path: [], message: `must compare with at most ${MAX_COMPARISONS} values` });
  }
  return { problems, comparisons };
}

/** A part of a filter that is being checked. */
interface Part {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
  readonly nesting: number;
}

function inner(part: Part, key: string | number, value: unknown): Part {
  return { value, path: [...part.path, key], nesting: part.nesting + 1 };
}

/** Conditions on an object: fields and groups. @returns how many values they compare with */
function checkConditions(part: Part, problems: FilterProblem[]): number {
  const entries = entriesOf(part, problems);
  return entries.reduce((sum, [key, value]) => {
    const next = inner(part, key, value);
    if (GROUPS.includes(key)) return sum + checkList(next, problems, checkConditions);
    const problem = problemOfField(key);
    if (problem === undefined) return sum + checkField(next, problems);
    problems.push({ path: next.path, message: problem });
    return sum;
  }, 0);
}

/** The condition on a field: a value, or operators. */
function checkField(part: Part, problems: FilterProblem[]): number {
  if (!isObject(part.value)) return checkScalar(part, problems);
  return checkOperators(part, problems);
}

function checkOperators(part: Part, problems: FilterProblem[]): number {
  return entriesOf(part, problems).reduce((sum, [operator, value]) => {
    const next = inner(part, operator, value);
    if (FIELD_OPERATORS.includes(operator)) return sum + checkOperand(operator, next, problems);
    const message = operator.startsWith('$')
      ? `is not an operator here; use one of ${FIELD_OPERATORS.join(', ')}`
      : `is not an operator; write the path to a field inside with dots: "${part.path.at(-1)}.${operator}"`;
    problems.push({ path: next.path, message });
    return sum;
  }, 0);
}

function checkOperand(operator: string, part: Part, problems: FilterProblem[]): number {
  const { path, value } = part;
  const say = (message: string): number => {
    problems.push({ path, message });
    return 0;
  };
  switch (operator) {
    case '$eq':
    case '$ne':
      return checkScalar(part, problems);
    case '$in':
    case '$nin':
    case '$all':
      return checkList(part, problems, checkScalar);
    case '$exists':
      return typeof value === 'boolean' ? 1 : say('must be true or false');
    case '$size':
      return Number.isInteger(value) && Number(value) >= 0 ? 1 : say('must be a whole number from 0');
    case '$not':
      return isObject(value) ? checkOperators(part, problems) : say('must be an object of operators');
    case '$elemMatch':
      if (!isObject(value)) return say('must be an object of operators or of conditions');
      return Object.keys(value).some((key) => FIELD_OPERATORS.includes(key))
        ? checkOperators(part, problems)
        : checkConditions(part, problems);
    default:
      return typeof value === 'number' || typeof value === 'string'
        ? checkScalar(part, problems)
        : say('must be a number or a string');
  }
}

function checkList(part: Part, problems: FilterProblem[], check: typeof checkScalar): number {
  if (!Array.isArray(part.value) || part.value.length === 0) {
    problems.push({ path: part.path, message: 'must be a list with at least one entry' });
    return 0;
  }
  return part.value.reduce<number>((sum, value, index) => sum + check(inner(part, index, value), problems), 0);
}

/** Numbers beyond 2^53 are refused: as doubles they would equal their neighbours. */
function checkScalar({ value, path }: Part, problems: FilterProblem[]): number {
  if (typeof value === 'object' && value !== null) {
    problems.push({ path, message: 'must be a string, a number, true, false or null' });
  } else if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    problems.push({ path, message: 'must lie between -9007199254740991 and 9007199254740991 to be compared exactly' });
  }
  return 1;
}

function entriesOf({ value, path, nesting }: Part, problems: FilterProblem[]): [string, unknown][] {
  if (!isObject(value)) {
    problems.push({ path, message: 'must be an object' });
    return [];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) problems.push({ path, message: 'must hold at least one condition' });
  if (nesting <= MAX_NESTING) return entries;
  problems.push({ path, message: `must be nested at most ${MAX_NESTING} levels deep` });
  return [];
}

function problemOfField(field: string): string | undefined {
  if (field.startsWith('$')) return `is not an operator here; use $and, $or, $nor, or the path to a field`;
  const segments = field.split('.');
  if (segments.length > MAX_PATH_SEGMENTS) return `must have at most ${MAX_PATH_SEGMENTS} parts between dots`;
  if (segments.includes('')) return 'must be the path to a field: names with dots between them';
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
