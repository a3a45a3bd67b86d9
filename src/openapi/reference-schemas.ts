import { html, prose, type Markup, type Part } from './html';

/** A JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly [limit: string]: unknown;
}

/** A member of an object, a parameter or a header. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string;
  /** Undefined for the headers of answers. */
  readonly required?: boolean;
}

/** What a schema's keyword says, with its value at `*`. */
const LIMITS: Readonly<Record<string, string>> = {
  minimum: 'at least *',
  exclusiveMinimum: 'more than *',
  maximum: 'at most *',
  exclusiveMaximum: 'less than *',
  minLength: 'at least * characters',
  maxLength: 'at most * characters',
  minItems: 'at least * items',
  maxItems: 'at most * items',
  minProperties: 'at least * members',
  maxProperties: 'at most * members',
  pattern: 'matches *',
  default: 'default *',
};

/** The name of a component that a reference leads to. */
export function referredName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** A list of members: name, type, whether it is required, description, limits, and the members of nested objects. */
export function fieldList(fields: readonly Field[]): Markup {
  return html`<dl class="fields">${fields.map(fieldItem)}</dl>`;
}

function fieldItem({ name, schema, description = schema.description, required }: Field): Markup {
  return html`<div>
    <dt>
      <code>${name}</code>
      <span class="type">${typeOf(schema)}</span>${required && html` <span class="required">required</span>`}
    </dt>
    <dd>
      ${description !== undefined && html`<p>${prose(description)}</p>`}${limitsOf(schema)}${membersOf(schema.items ?? schema)}
    </dd>
  </div>`;
}

/** The members of a schema that is an object; nothing for others. */
export function membersOf({ properties, required = [] }: Schema): Markup | undefined {
  if (properties === undefined) return undefined;
  return fieldList(
    Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) })),
  );
}

/** A schema in words: `array of string`, `"a" or "b"`, or a link to its component. */
export function typeOf(schema: Schema): Part {
  const { $ref, oneOf, anyOf = oneOf, items, additionalProperties } = schema;
  if ($ref !== undefined) return html`<a href="#schema-${referredName($ref)}">${referredName($ref)}</a>`;
  if (anyOf) return inTurn(anyOf.map(typeOf));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return inTurn(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  if (items) return html`array of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    return html`map of ${typeOf(additionalProperties)}`;
  }
  const { type = 'any' } = schema;
  return inTurn(typeof type === 'string' ? [type] : type);
}

function inTurn(parts: readonly Part[]): Part {
  return parts.map((part, at) => (at === 0 ? part : html` or ${part}`));
}

function limitsOf(schema: Schema): Markup | undefined {
  const all = { ...schema.items, ...schema };
  const limits = Object.entries(LIMITS).flatMap(([keyword, words]) => {
    if (all[keyword] === undefined) return [];
    const [before, after] = words.split('*');
    const value = keyword === 'default' ? JSON.stringify(all[keyword]) : `${all[keyword] as number | string}`;
    return [html`<li>${before}<code>${value}</code>${after}</li>`];
  });
  return limits.length > 0
    ? html`<ul class="limits">
        ${limits}
      </ul>`
    : undefined;
}
