import fc from 'fast-check';
import { MAX_SCHEMA_DEPTH, MAX_SCHEMA_ROWS, schemaRows } from '../../dashboard/src/event-types/schema-rows';

const linesOf = (schema: unknown) =>
  schemaRows(schema).rows.map(({ path, type, isRequired, rules }) =>
    [`${path}${isRequired ? '*' : ''}`, type, ...rules].join(' | '),
  );

it('members, required ones, nested ones and lists have a row each', () => {
  const schema = {
    type: 'object',
    required: ['id', 'lines'],
    properties: {
      id: { type: 'integer', minimum: 1 },
      customer: { type: 'object', properties: { email: { type: ['string', 'null'], format: 'email' } } },
      lines: { type: 'array', minItems: 1, items: { type: 'object', properties: { sku: { type: 'string' } } } },
    },
  };
  expect(linesOf(schema)).toEqual([
    'id* | integer | at least 1',
    'customer | object',
    'customer.email | string or null | format email',
    'lines* | array of object | at least 1 item',
    'lines[] | object',
    'lines[].sku | string',
  ]);
});

it('local references and allOf are merged into the field that names them, and what is beside them wins', () => {
  const schema = {
    $defs: { money: { description: 'An amount', required: ['cents'], properties: { cents: { type: 'integer' } } } },
    properties: {
      total: { $ref: '#/$defs/money', description: 'The total' },
      fee: { allOf: [{ $ref: '#/$defs/money' }, { required: ['payer'], properties: { payer: { type: 'string' } } }] },
      other: { $ref: 'https://example.com/other.json' },
    },
  };
  expect(linesOf(schema)).toEqual([
    'total | object',
    'total.cents* | integer',
    'fee | object',
    'fee.cents* | integer',
    'fee.payer* | string',
    'other | any',
  ]);
  expect(schemaRows(schema).rows[0]!.description).toBe('The total');
});

it('enumerations, constants and options are said in words', () => {
  const schema = {
    properties: {
      state: { enum: ['open', 'closed'] },
      kind: { const: 'card' },
      payment: { oneOf: [{ title: 'Card', properties: { last4: { type: 'string' } } }, { type: 'null' }] },
      pair: { prefixItems: [{ type: 'string' }, { type: 'number' }] },
    },
    additionalProperties: false,
  };
  expect(linesOf(schema)).toEqual([
    'state | string | one of "open", "closed"',
    'kind | string | always "card"',
    'payment | one of 2 options',
    'payment(oneOf 1) | object',
    'payment(oneOf 1).last4 | string',
    'payment(oneOf 2) | null',
    'pair | array',
    'pair[0] | string',
    'pair[1] | number',
  ]);
  expect(schemaRows(schema).rows[3]!.name).toBe('Card');
});

it('a schema inside itself is marked where it begins again', () => {
  const node = { properties: { next: { $ref: '#/$defs/node' }, id: { type: 'string' } } };
  const { rows } = schemaRows({ $defs: { node }, $ref: '#/$defs/node' });
  expect(rows.map(({ path, cut }) => [path, cut])).toEqual([
    ['next', 'recursion'],
    ['id', undefined],
  ]);
});

it('deep and wide schemas end at the limits, and say that they do', () => {
  let deep: object = { type: 'string' };
  for (let level = 0; level < 20; level += 1) deep = { properties: { inner: deep } };
  const table = schemaRows(deep);
  expect(table.rows).toHaveLength(MAX_SCHEMA_DEPTH);
  expect(table.rows.at(-1)!.cut).toBe('depth');
  expect(table.isComplete).toBe(false);
  const wide = { properties: Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`field${n}`, {}])) };
  expect(schemaRows(wide).rows).toHaveLength(MAX_SCHEMA_ROWS);
  expect(schemaRows(wide).isComplete).toBe(false);
});

it('no schema, however odd, is more than the limits or has a path twice', () => {
  const keyword = fc.constantFrom('type', 'properties', 'items', '$ref', 'allOf', 'oneOf', '$defs', 'enum', 'required');
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('#', '#/properties', '#/$defs/a', 'string', true, null, 3),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(keyword, fc.constantFrom('a', 'b', '__proto__')), tie('schema'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(schema, (one) => {
      const { rows } = schemaRows(one);
      expect(rows.length).toBeLessThanOrEqual(MAX_SCHEMA_ROWS);
      expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
    }),
  );
});

it('a title that already names an option is not said twice', () => {
  const options = [{ title: 'Card' }, { title: 'Invoice', description: 'Paid later' }];
  const rows = schemaRows({ properties: { payment: { title: 'How it is paid', oneOf: options } } }).rows;
  expect(rows.map(({ name, description }) => [name, description])).toEqual([
    ['payment', 'How it is paid'],
    ['Card', undefined],
    ['Invoice', 'Paid later'],
  ]);
});
