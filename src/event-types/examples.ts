/** An event type, for the document of the API. */
export const EVENT_TYPE_EXAMPLE = {
  name: 'order.created',
  description: 'A customer placed an order.',
  group: 'Orders',
  deprecated: false,
  archived: false,
  version: 1,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  schema: {
    type: 'object',
    required: ['order_id', 'total'],
    properties: { order_id: { type: 'string' }, total: { type: 'number', minimum: 0 } },
  },
  example: { order_id: 'ord_42', total: 19.99 },
};

const { schema: _schema, example: _example, ...common } = EVENT_TYPE_EXAMPLE;

export const LISTED_EXAMPLE = { ...common, has_schema: true };

export const IMPORT_EXAMPLE = {
  dry_run: true,
  created: ['order.created'],
  changed: [{ name: 'order.paid', fields: ['schema'] }],
  unchanged: ['order.shipped'],
  refused: [],
};
