/** What forms understand of JSON Schema. Anything else is written as JSON. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Of a text: `text/…` has lines. */
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** How a value is asked for. */
export type Kind =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'object'
  | 'array'
  | 'variant'
  | 'json';

export interface Shape {
  readonly kind: Kind;
  readonly schema: JsonSchema;
  readonly nullable: boolean;
  /** Of a choice. */
  readonly choices: readonly unknown[];
  /** Of objects that their `type` tells apart, by that type. */
  readonly variants?: ReadonlyMap<string, JsonSchema>;
}

/** What a schema asks for, once references are followed and `or null` is taken apart. */
export function shapeOf(given: JsonSchema, root: JsonSchema): Shape {
  const schema = resolved(given, root, 0);
  const variants = (schema.anyOf ?? schema.oneOf)?.map((variant) => resolved(variant, root, 0));
  if (variants !== undefined) return shapeOfUnion(schema, variants, root);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const nullable = types.includes('null');
  const [type, ...others] = types.filter((name) => name !== 'null');
  const shape = { schema, nullable, choices: [] };
  if (schema.enum !== undefined) return { ...shape, kind: 'choice', choices: schema.enum };
  if ('const' in schema) return { ...shape, kind: 'choice', choices: [schema.const] };
  if (others.length > 0) return { ...shape, kind: 'json' };
  switch (type) {
    case 'string':
      return { ...shape, kind: 'text' };
    case 'number':
    case 'integer':
    case 'boolean':
      return { ...shape, kind: type };
    case 'object':
      return { ...shape, kind: isClosedForm(schema) ? 'object' : 'json' };
    case 'array':
      return { ...shape, kind: schema.items === undefined ? 'json' : 'array' };
    default:
      return { ...shape, kind: schema.properties === undefined ? 'json' : 'object' };
  }
}

/** An object without any known fields is freely made. */
function isClosedForm({ properties }: JsonSchema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}

function shapeOfUnion(schema: JsonSchema, members: readonly JsonSchema[], root: JsonSchema): Shape {
  const solid = members.filter(({ type }) => type !== 'null');
  const nullable = solid.length < members.length;
  const [only] = solid;
  if (only !== undefined && solid.length === 1) {
    const { anyOf: _any, oneOf: _one, ...around } = schema;
    return { ...shapeOf({ ...only, ...around }, root), nullable: true };
  }
  if (solid.every((variant) => 'const' in variant)) {
    return { kind: 'choice', schema, nullable, choices: solid.map((variant) => variant.const) };
  }
  const variants = variantsOf(solid);
  if (variants !== undefined) return { kind: 'variant', schema, nullable, choices: [], variants };
  const list = listOf(solid);
  if (list !== undefined) {
    const { anyOf: _any, oneOf: _one, ...around } = schema;
    return { kind: 'array', schema: { ...list, ...around }, nullable, choices: [] };
  }
  return { kind: 'json', schema, nullable, choices: [] };
}

/** Objects by the `type` that each of them must have. */
function variantsOf(members: readonly JsonSchema[]): ReadonlyMap<string, JsonSchema> | undefined {
  const entries = members.flatMap((member) => {
    const type = member.properties?.['type']?.const;
    return typeof type === 'string' ? [[type, member] as const] : [];
  });
  return entries.length === members.length && entries.length > 0 ? new Map(entries) : undefined;
}

/** Several of what may also stand alone: it is asked for as a list. */
function listOf([one, list, ...others]: readonly JsonSchema[]): JsonSchema | undefined {
  if (one === undefined || list?.type !== 'array' || others.length > 0) return undefined;
  return JSON.stringify(list.items) === JSON.stringify(one) ? list : undefined;
}

/** Follows `#/…` references. One that leads in a circle or nowhere allows everything. */
function resolved(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  const [only, ...more] = schema.allOf ?? [];
  if (only !== undefined && more.length === 0) {
    const { allOf: _all, ...around } = schema;
    return { ...resolved(only, root, depth + 1), ...around };
  }
  if (schema.$ref === undefined) return schema;
  if (depth > 20 || !schema.$ref.startsWith('#')) return {};
  const names = schema.$ref.slice(1).split('/').slice(1);
  const found = names.reduce<unknown>((value, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, root);
  const { $ref: _ref, ...around } = schema;
  return typeof found === 'object' && found !== null
    ? { ...resolved(found, root, depth + 1), ...around }
    : {};
}

/** The value that a form begins with: what must be there, and what the schema presets. */
export function initialValue(given: JsonSchema, root: JsonSchema = given): unknown {
  const { kind, schema, nullable, choices, variants } = shapeOf(given, root);
  if (schema.default !== undefined) return schema.default;
  if (nullable) return null;
  if (kind === 'boolean') return false;
  if (kind === 'array') return [];
  if (kind === 'choice') return choices[0];
  if (kind === 'variant') {
    const [first] = variants?.values() ?? [];
    return first === undefined ? undefined : initialValue(first, root);
  }
  if (kind !== 'object') return undefined;
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isNeeded = schema.required?.includes(name) === true;
    const value = isNeeded || property.default !== undefined ? initialValue(property, root) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
