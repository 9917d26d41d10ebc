import { type JsonSchema, shapeOf } from './json-schema.ts';

/** What is wrong, by the place in the value, e.g. `/items/0/name`; `` is the whole value. */
export type Faults = ReadonlyMap<string, string>;

/** A text that is meant as JSON and is none: the value of a field while it is being written. */
export class UnreadableJson {
  readonly text: string;
  readonly reason: string;

  constructor(text: string, reason: string) {
    this.text = text;
    this.reason = reason;
  }
}

/** Checks what forms ask for. The server checks everything. */
export function faultsOf(schema: JsonSchema, value: unknown): Faults {
  const faults = new Map<string, string>();
  collect(schema, schema, value, '', faults);
  return faults;
}

function collect(
  given: JsonSchema,
  root: JsonSchema,
  value: unknown,
  place: string,
  faults: Map<string, string>,
): void {
  const { kind, schema, nullable, choices, variants } = shapeOf(given, root);
  const fault = (text: string): void => void faults.set(place, text);
  if (value instanceof UnreadableJson) return fault(`This is no JSON: ${value.reason}`);
  if (value === null && nullable) return;
  if (value === undefined) return;
  switch (kind) {
    case 'text':
      return textFault(schema, value, fault);
    case 'number':
    case 'integer':
      return numberFault(schema, kind, value, fault);
    case 'boolean':
      if (typeof value !== 'boolean') fault('Expected true or false.');
      return;
    case 'choice':
      if (!choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) {
        fault(`Expected one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`);
      }
      return;
    case 'variant': {
      const type = isFields(value) ? value['type'] : undefined;
      const variant = typeof type === 'string' ? variants?.get(type) : undefined;
      if (variant !== undefined) return collectMembers(variant, root, value, place, faults);
      return fault(`Expected a type: ${[...(variants?.keys() ?? [])].join(', ')}.`);
    }
    case 'array':
      if (isAlone(schema.items, value)) return collect(schema.items ?? {}, root, value, place, faults);
      if (!Array.isArray(value)) return fault('Expected a list.');
      if (value.length < (schema.minItems ?? 0)) fault(`Expected at least ${entries(schema.minItems)}.`);
      if (value.length > (schema.maxItems ?? Infinity))
        fault(`Expected at most ${entries(schema.maxItems)}.`);
      for (const [index, item] of value.entries()) {
        collect(schema.items ?? {}, root, item, `${place}/${index}`, faults);
      }
      return;
    case 'object':
      return collectMembers(schema, root, value, place, faults);
    case 'json':
      return;
  }
}

/** Whether a text stands where a list of texts may. */
export function isAlone(items: JsonSchema | undefined, value: unknown): boolean {
  return typeof value === 'string' && items?.type === 'string';
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entries(count = 0): string {
  return count === 1 ? 'one entry' : `${count} entries`;
}

function collectMembers(
  schema: JsonSchema,
  root: JsonSchema,
  value: unknown,
  place: string,
  faults: Map<string, string>,
): void {
  if (!isFields(value)) return void faults.set(place, 'Expected an object.');
  const held = value;
  for (const name of schema.required ?? []) {
    if (held[name] === undefined) faults.set(`${place}/${name}`, 'This is needed.');
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    collect(property, root, held[name], `${place}/${name}`, faults);
  }
}

type Fault = (text: string) => void;

function textFault(
  { minLength = 0, maxLength = Infinity, pattern }: JsonSchema,
  value: unknown,
  fault: Fault,
): void {
  if (typeof value !== 'string') return fault('Expected a text.');
  if (value.length < minLength)
    return fault(minLength === 1 ? 'This is needed.' : `Expected at least ${minLength} characters.`);
  if (value.length > maxLength) return fault(`Expected at most ${maxLength} characters.`);
  if (pattern !== undefined && !matches(pattern, value)) fault(`Expected a text like ${pattern}.`);
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    // A pattern of another language is for the server to check.
    return true;
  }
}

function numberFault(schema: JsonSchema, kind: 'number' | 'integer', value: unknown, fault: Fault): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) return fault('Expected a number.');
  if (kind === 'integer' && !Number.isInteger(value)) return fault('Expected a whole number.');
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
  } = schema;
  if (value < minimum) return fault(`Expected at least ${minimum}.`);
  if (value > maximum) return fault(`Expected at most ${maximum}.`);
  if (value <= exclusiveMinimum) return fault(`Expected more than ${exclusiveMinimum}.`);
  if (value >= exclusiveMaximum) fault(`Expected less than ${exclusiveMaximum}.`);
}
