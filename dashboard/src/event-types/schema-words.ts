import { isSchema, listOf, resolve, type Schema } from './resolve-schema';

/** How many values of an enumeration are shown, and how much of a text in a rule. */
const MAX_VALUES = 12;
const MAX_TEXT = 120;

/** The type of a value in words. */
export function typeOf(schema: Schema, root: Schema): string {
  const own = [schema['type']].flat().filter((one) => typeof one === 'string');
  const named = own.length > 0 ? own : impliedType(schema);
  const items = schema['items'];
  const words = named.map((one) => {
    if (one !== 'array' || !isSchema(items)) return one;
    const ofItems = [resolve(items, root).schema['type']].flat().filter((type) => typeof type === 'string');
    return ofItems.length > 0 ? `array of ${ofItems.join(' or ')}` : 'array';
  });
  const options = Math.max(listOf(schema['oneOf']).length, listOf(schema['anyOf']).length);
  if (words.length === 0) return options > 0 ? `one of ${options} options` : 'any';
  return words.join(' or ');
}

/** The type that other keywords leave no doubt about. */
function impliedType(schema: Schema): string[] {
  if (isSchema(schema['properties'])) return ['object'];
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return ['array'];
  const values = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  return [...new Set(values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)))];
}

/** Keywords with a number or a text, and how they are said. */
const RULES: Readonly<Record<string, (value: string) => string>> = {
  format: (value) => `format ${value}`,
  pattern: (value) => `matches ${value}`,
  minimum: (value) => `at least ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => `at least ${countOf(value, 'character')}`,
  maxLength: (value) => `at most ${countOf(value, 'character')}`,
  minItems: (value) => `at least ${countOf(value, 'item')}`,
  maxItems: (value) => `at most ${countOf(value, 'item')}`,
  minProperties: (value) => `at least ${countOf(value, 'member')}`,
  maxProperties: (value) => `at most ${countOf(value, 'member')}`,
};

function countOf(value: string, noun: string): string {
  return `${value} ${noun}${value === '1' ? '' : 's'}`;
}

/** What else a value must be, besides its type. */
export function rulesOf(schema: Schema): string[] {
  const rules: string[] = [];
  if ('const' in schema) rules.push(`always ${jsonText(schema['const'])}`);
  const values = listOf(schema['enum']);
  if (values.length > 0) {
    const more = values.length - MAX_VALUES;
    const shown = values.slice(0, MAX_VALUES).map(jsonText).join(', ');
    rules.push(`one of ${shown}${more > 0 ? ` and ${more} more` : ''}`);
  }
  for (const [keyword, inWords] of Object.entries(RULES)) {
    const value = schema[keyword];
    if (typeof value === 'number' || typeof value === 'string') rules.push(inWords(cutText(String(value))));
  }
  if (schema['uniqueItems'] === true) rules.push('no item twice');
  if (schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false) {
    rules.push('no other members');
  }
  if ('default' in schema) rules.push(`${jsonText(schema['default'])} if absent`);
  return rules;
}

function jsonText(value: unknown): string {
  return cutText(JSON.stringify(value) ?? 'undefined');
}

/** The start of a long text. */
export function cutText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
