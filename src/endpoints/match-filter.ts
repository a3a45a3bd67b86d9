// The semantics of MongoDB's query language: which values a path leads to, and what a condition says about them. The
// test beside it asks MongoDB itself.

/** Whether data meets a condition. */
type Matcher = (data: unknown) => boolean;
/** Whether one value meets a condition; `MISSING` for a field that is not there. */
type Test = (value: unknown) => boolean;
/**
 * Whether any of the values that a path leads to meets a condition.
 *
 * @param whole a list at the end of the path is one value; otherwise its entries are values
 */
type Any = (test: Test, whole?: 'whole') => boolean;
/** A condition on the values of a path. */
type Condition = (any: Any) => boolean;

/** Stands for a field that is not there. */
export const MISSING = Symbol('missing');
const DIGITS = /^[0-9]+$/;

/** Makes the matcher of a filter without problems (`problemsOfFilter`). */
export function createMatcher(filter: object): Matcher {
  const parts = Object.entries(filter).map(([key, value]) => {
    if (isGroup(key)) return groupOf(key, value as readonly object[]);
    const [condition, path] = [conditionOf(value), key.split('.')];
    return (data: unknown) => condition(valuesAt(path, data));
  });
  return (data) => parts.every((part) => part(data));
}

/** The name of a condition that joins filters. */
export type Group = '$and' | '$or' | '$nor';

/** Whether a key of a filter joins filters; otherwise it is the path to a field. */
export function isGroup(key: string): key is Group {
  return key === '$and' || key === '$or' || key === '$nor';
}

/** The values that a path leads to. */
export function valuesAt(path: readonly string[], data: unknown): Any {
  return (test, whole) => createWalk(path, test, whole !== 'whole')(data);
}

function groupOf(group: Group, filters: readonly object[]): Matcher {
  const parts = filters.map(createMatcher);
  if (group === '$and') return (data) => parts.every((part) => part(data));
  return (data) => parts.some((part) => part(data)) === (group === '$or');
}

function conditionOf(value: unknown): Condition {
  return isObject(value) ? operatorsOf(value) : (any) => any(equals(value));
}

function operatorsOf(operators: object): Condition {
  const parts = Object.entries(operators).map(([operator, operand]) => operatorOf(operator, operand));
  return (any) => parts.every((part) => part(any));
}

/** The condition of one operator on a field. */
export function operatorOf(operator: string, operand: unknown): Condition {
  switch (operator) {
    case '$eq':
      return (any) => any(equals(operand));
    case '$ne':
      return (any) => !any(equals(operand));
    case '$in':
      return (any) => any(isOneOf(operand as readonly unknown[]));
    case '$nin':
      return (any) => !any(isOneOf(operand as readonly unknown[]));
    case '$all':
      return (any) => (operand as readonly unknown[]).every((value) => any(equals(value)));
    case '$exists':
      return (any) => any((value) => value !== MISSING, 'whole') === operand;
    case '$size':
      return (any) => any((value) => Array.isArray(value) && value.length === operand, 'whole');
    case '$not': {
      const negated = operatorsOf(operand as object);
      return (any) => !negated(any);
    }
    case '$elemMatch': {
      const test = entryTestOf(operand as object);
      return (any) => any((value) => Array.isArray(value) && value.some(test), 'whole');
    }
    default:
      return (any) => any(comparesAs(operator, operand));
  }
}

/** Operators say something about the entry itself; anything else about an object or a list as an object. */
function entryTestOf(operand: object): Test {
  if (Object.keys(operand).some((key) => key.startsWith('$') && !isGroup(key))) {
    const condition = operatorsOf(operand);
    return (entry) => condition((test) => test(entry));
  }
  const matches = createMatcher(operand);
  return (entry) => typeof entry === 'object' && entry !== null && matches(entry);
}

function equals(wanted: unknown): Test {
  return wanted === null ? (value) => value === null || value === MISSING : (value) => value === wanted;
}

function isOneOf(wanted: readonly unknown[]): Test {
  const tests = wanted.map(equals);
  return (value) => tests.some((test) => test(value));
}

/** Only numbers are compared with numbers, and strings with strings. */
function comparesAs(operator: string, bound: unknown): Test {
  return (value) => {
    if (typeof value !== typeof bound) return false;
    const order = typeof bound === 'string' ? compareText(value as string, bound) : Number(value) - Number(bound);
    if (operator === '$gt') return order > 0;
    if (operator === '$gte') return order >= 0;
    return operator === '$lt' ? order < 0 : order <= 0;
  };
}

/**
 * Compares as MongoDB does, by the bytes of UTF-8, which is the order of code points. JavaScript compares the halves of
 * surrogate pairs, so U+10000 would come before U+E000.
 */
function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

/** Surrogates come behind all other code units. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Walks along a path and tests what it leads to, as MongoDB's `BSONElementIterator` does.
 *
 * A list on the way stands for its objects: the rest of the path leads on from each. A part of the path that is the
 * position of an entry also leads to that entry. Lists right inside lists are reached by their positions only. A field
 * that an object lacks is `MISSING`; entries that are no objects have no fields that could be missing.
 *
 * @param intoEntries a list at the end of the path stands for its entries
 */
function createWalk(path: readonly string[], test: Test, intoEntries: boolean): Test {
  const last = path.length - 1;
  // A field named "0" in an entry at position 0 can be reached in two ways; each list is walked once.
  const walked = path.some((part) => DIGITS.test(part)) ? path.map(() => new Set<readonly unknown[]>()) : undefined;

  const isFound = (value: unknown): boolean =>
    intoEntries && Array.isArray(value) ? value.some(test) || test(value) : test(value);
  const inFields = (container: unknown, from: number): boolean => {
    let value: unknown = container;
    for (let at = from; at <= last; at += 1) {
      value = fieldOf(value as object, path[at]!);
      if (at === last) return isFound(value);
      if (Array.isArray(value)) return inList(value, at + 1);
      if (!isObject(value)) return test(MISSING);
    }
    return false;
  };
  const inList = (list: readonly unknown[], at: number): boolean => {
    if (walked?.[at]?.has(list)) return false;
    walked?.[at]?.add(list);
    return list.some((entry, position) => {
      if (isObject(entry) && inFields(entry, at)) return true;
      return path[at] === String(position) && atPosition(entry, at);
    });
  };
  const atPosition = (entry: unknown, at: number): boolean => {
    if (at === last) return test(entry);
    if (Array.isArray(entry)) return inList(entry, at + 1);
    return isObject(entry) && inFields(entry, at + 1);
  };
  return (data) => inFields(data, 0);
}

/** A field of an object, or an entry of a list that is taken as an object. */
function fieldOf(container: object, name: string): unknown {
  return Object.hasOwn(container, name) && (!Array.isArray(container) || DIGITS.test(name))
    ? (container as Record<string, unknown>)[name]
    : MISSING;
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
