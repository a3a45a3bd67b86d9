import type { EventType } from '../event-types/event-type-store';
import { DELIVERY_WEBHOOK, deliveredHeaders } from './delivered-request';
import { jsonSchemas, type Json } from './json-schemas';
import { parametersOf } from './openapi';

/**
 * Describes event types to receivers, as an OpenAPI 3.1 document with one webhook for each. The body is that of an
 * endpoint without `options.body`; the schemas of `data` are under `components`, where generators look for them.
 *
 * @param types by name
 */
export function describeEventTypes(types: readonly EventType[]): Json {
  const headers = Object.values(deliveredHeaders.shape);
  const parameters = parametersOf(deliveredHeaders.shape, 'header', jsonSchemas(headers, 'output'));
  const names = componentNames(types);
  const groups = [...new Set(types.flatMap(({ group }) => group ?? []))];
  return {
    openapi: '3.1.0',
    info: { title: 'Webhooks', version: '1', summary: 'The events that endpoints receive' },
    ...(groups.length > 0 && { tags: groups.map((name) => ({ name })) }),
    webhooks: Object.fromEntries(types.map((type) => [type._id, { post: webhookOf(type, names, parameters) }])),
    components: {
      schemas: Object.fromEntries(
        types.flatMap(({ _id, schema }) =>
          schema === undefined ? [] : [[names.get(_id), moved(JSON.parse(schema), refTo(names, _id))]],
        ),
      ),
    },
  };
}

function webhookOf(type: EventType, names: ReadonlyMap<string, string>, parameters: readonly Json[]): Json {
  const { _id: name, description, group, deprecated, schema, example } = type;
  const data = schema === undefined ? { type: 'object' } : { $ref: refTo(names, name) };
  return {
    operationId: names.get(name),
    ...(group !== undefined && { tags: [group] }),
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: envelopeOf(name, data),
          ...(example !== undefined && {
            example: { ...ENVELOPE_EXAMPLE, type: name, data: JSON.parse(example) as unknown },
          }),
        },
      },
    },
    responses: DELIVERY_WEBHOOK.responses,
  };
}

const ENVELOPE_EXAMPLE = { id: 1_001, type: '', data: {}, timestamp: 1_767_225_600 };

/** The body by default: docs/spec.md, "Delivered request". */
function envelopeOf(name: string, data: Json): Json {
  return {
    type: 'object',
    required: ['id', 'type', 'data', 'timestamp'],
    properties: {
      id: { type: 'integer', format: 'int64', description: 'The event id, the same on every attempt.' },
      type: { type: 'string', const: name },
      data,
      timestamp: { type: 'integer', description: 'Unix seconds of the ingest.' },
    },
  };
}

/** A name for each type that OpenAPI allows for a component: letters, digits, ".", "_" and "-". */
function componentNames(types: readonly EventType[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    types.map(({ _id }) => {
      const plain = _id.replaceAll(/[^A-Za-z0-9._-]/g, '_');
      let name = plain;
      for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
      taken.add(name);
      return [_id, name];
    }),
  );
}

function refTo(names: ReadonlyMap<string, string>, type: string): string {
  return `#/components/schemas/${names.get(type)}`;
}

/** A schema whose references to places in itself are still right at its new place. */
function moved(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((item) => moved(item, place));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [
      key,
      key === '$ref' && typeof it === 'string' && /^#(\/|$)/.test(it) ? `${place}${it.slice(1)}` : moved(it, place),
    ]),
  );
}
