import { z } from 'zod';
import { acceptedForm } from '@steadyhand/messages';
import { componentRef, type Schema } from './document.ts';

/** This is not zod's global registry: schemas of other packages are named here, and keep their identity. */
const names = z.registry<{ id: string }>();

/** Has schemas be components of their own wherever they are described, by these names with a capital. */
export function named(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    names.add(schema, { id: name.charAt(0).toUpperCase() + name.slice(1) });
  }
}

/** Turns zod schemas into those of a description: the ones with a name become components, and stand elsewhere by reference. */
export class Components {
  /** By name, as far as they have been asked for. */
  readonly schemas: Record<string, Schema> = {};
  /** Of those without a name that stand in several places. */
  readonly #converted = new Map<z.ZodType, Schema>();

  /** What a schema takes in, i.e. before its transformations. */
  of(schema: z.ZodType): Schema {
    const name = names.get(schema)?.id;
    if (name !== undefined) {
      if (this.schemas[name] === undefined) {
        // Held before it is made, for schemas that contain themselves.
        this.schemas[name] = {};
        this.schemas[name] = { title: name, ...this.#convert(schema) };
      }
      return { ...componentRef(name) };
    }
    const made = this.#converted.get(schema) ?? this.#convert(schema);
    this.#converted.set(schema, made);
    return made;
  }

  #convert(schema: z.ZodType): Schema {
    const converted: Schema = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const inner = zodSchema as unknown as z.ZodType;
        const form = acceptedForm(inner);
        if (inner !== schema && (names.has(inner) || form !== undefined)) {
          replace(jsonSchema, this.of(inner));
        } else if (form !== undefined) {
          replace(jsonSchema, this.of(form));
        } else {
          tidy(jsonSchema);
        }
      },
    });
    const { $schema: _, ...rest } = converted;
    return rest;
  }
}

/** Takes out what follows from the rest, or from JSON itself. */
function tidy(schema: Record<string, unknown>): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}') delete schema['propertyNames'];
  if (schema['prefixItems'] !== undefined && schema['items'] === false) delete schema['items'];
}

function replace(target: Record<string, unknown>, content: Schema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, content);
}
