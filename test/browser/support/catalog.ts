import type { Stack } from '../../support/build-stack';
import { callApi } from './dashboard';

/** The example of `order.created`. */
export const ORDER = {
  order_id: 'ord_42',
  total: 19.99,
  currency: 'EUR',
  customer: { id: 'cus_7', email: 'zoe@example.com' },
  items: [{ sku: 'tea-1', quantity: 2 }],
};

const ORDER_SCHEMA = {
  type: 'object',
  required: ['order_id', 'total', 'customer'],
  properties: {
    order_id: { type: 'string', description: 'The id of the order.', pattern: '^ord_[a-z0-9]+$' },
    total: { type: 'number', minimum: 0, description: 'What the customer pays, in the currency of the order.' },
    currency: { enum: ['EUR', 'USD', 'GBP'], default: 'EUR' },
    coupon: { type: ['string', 'null'], deprecated: true, description: 'Use discounts.' },
    customer: { $ref: '#/$defs/customer' },
    items: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku'],
        properties: { sku: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
      },
    },
    payment: {
      oneOf: [
        { title: 'Card', type: 'object', properties: { last4: { type: 'string', minLength: 4, maxLength: 4 } } },
        { title: 'Invoice', type: 'object', properties: { due: { type: 'string', format: 'date' } } },
      ],
    },
  },
  $defs: {
    customer: {
      type: 'object',
      description: 'Who placed it.',
      required: ['id'],
      properties: { id: { type: 'string' }, email: { type: 'string', format: 'email' } },
    },
  },
};

/** A catalog with and without groups, schemas and descriptions, and with a deprecated type. */
const TYPES: Readonly<Record<string, object>> = {
  'customer.created': { group: 'Customers', description: 'A customer signed up.' },
  'customer.deleted': { group: 'Customers' },
  'invoice.paid': { description: 'Paid in full.' },
  'order.created': {
    group: 'Orders',
    description: 'An order was placed and paid. Its items are reserved, and the warehouse has been told.',
    schema: ORDER_SCHEMA,
    example: ORDER,
  },
  'order.placed': { group: 'Orders', description: 'The name of order.created until 2025.', deprecated: true },
};

/** Puts the types of a platform into the catalog of the installation. */
export async function describeTypes(stack: Stack): Promise<void> {
  const { key } = await stack.managementKey();
  for (const [name, body] of Object.entries(TYPES)) {
    const { status, body: answer } = await callApi(stack.url, key, {
      method: 'PUT',
      path: `/api/v1/event-types/${name}`,
      body,
    });
    if (status >= 300) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  }
}
