import { faultsOf, UnreadableJson } from '../../web/parts/schema-form/faults.ts';
import { initialValue, type JsonSchema, shapeOf } from '../../web/parts/schema-form/json-schema.ts';

/** What forms make of schemas, as zod and others write them. */

const ORDER: JsonSchema = {
  type: 'object',
  required: ['customer', 'items', 'priority', 'paid'],
  properties: {
    customer: { type: 'string', minLength: 1 },
    note: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
    items: { type: 'array', minItems: 1, items: { $ref: '#/$defs/item' } },
    priority: { enum: ['low', 'high'] },
    paid: { type: 'boolean' },
    address: { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] },
  },
  ...({
    $defs: {
      item: {
        type: 'object',
        required: ['sku', 'count'],
        properties: {
          sku: { type: 'string', pattern: '^[A-Z]+$' },
          count: { type: 'integer', minimum: 1, exclusiveMaximum: 10 },
        },
      },
    },
  } as object),
};

test.each<[JsonSchema, string, boolean]>([
  [{ type: 'string' }, 'text', false],
  [{ type: ['integer', 'null'] }, 'integer', true],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number', true],
  [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'choice', false],
  [{ const: 5 }, 'choice', false],
  [{ type: 'object' }, 'json', false],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'json', false],
  [{ properties: { a: {} } }, 'object', false],
  [{ type: 'array' }, 'json', false],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'json', false],
  [{ type: ['string', 'number'] }, 'json', false],
  [{ allOf: [{ type: 'boolean' }], title: 'Sure' }, 'boolean', false],
  [{ $ref: '#/nowhere' }, 'json', false],
  [{ $ref: 'https://example.com/other' }, 'json', false],
  [{}, 'json', false],
])('%j is asked for as %s', (schema, kind, nullable) => {
  expect(shapeOf(schema, schema)).toMatchObject({ kind, nullable });
});

test('references that lead in a circle end', () => {
  const root = {
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
  } as JsonSchema;
  expect(shapeOf(root, root).kind).toBe('json');
});

test('a form begins with what must be there and with defaults', () => {
  expect(initialValue(ORDER)).toEqual({ items: [], priority: 'low', paid: false });
  expect(initialValue({ type: 'object', properties: { n: { type: 'integer', default: 3 } } })).toEqual({
    n: 3,
  });
  expect(initialValue({ type: ['string', 'null'] })).toBeNull();
  expect(initialValue({ type: 'string' })).toBeUndefined();
});

test('what is wrong is said at its place', () => {
  const value = {
    customer: '',
    note: 'too long',
    items: [{ sku: 'ABC', count: 10 }, { sku: 'abc', count: 1.5 }, { count: 'two' }],
    priority: 'middle',
    address: {},
  };
  expect(Object.fromEntries(faultsOf(ORDER, value))).toEqual({
    '/customer': 'This is needed.',
    '/note': 'Expected at most 5 characters.',
    '/items/0/count': 'Expected less than 10.',
    '/items/1/sku': 'Expected a text like ^[A-Z]+$.',
    '/items/1/count': 'Expected a whole number.',
    '/items/2/sku': 'This is needed.',
    '/items/2/count': 'Expected a number.',
    '/priority': 'Expected one of "low", "high".',
    '/paid': 'This is needed.',
    '/address/street': 'This is needed.',
  });
});

test('what is right has no faults, and what nobody described is let through', () => {
  const value = {
    customer: 'Ada',
    note: null,
    items: [{ sku: 'A', count: 9 }],
    priority: 'high',
    paid: true,
    more: 1,
  };
  expect(faultsOf(ORDER, value).size).toBe(0);
  expect(faultsOf({}, { anything: [1] }).size).toBe(0);
});

test('JSON that is being written is a fault until it can be read', () => {
  const value = new UnreadableJson('{"a":', 'it ends too early');
  expect(Object.fromEntries(faultsOf({}, value))).toEqual({ '': 'This is no JSON: it ends too early' });
});
