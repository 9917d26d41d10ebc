import type { JsonSchema } from '../parts/schema-form/json-schema.ts';
import type { YamlPlace } from './yaml-place.ts';

/** Something that may be written at a place. */
export interface Offer {
  readonly label: string;
  /** What is written. */
  readonly apply: string;
  readonly kind: 'property' | 'value';
  readonly about?: string;
}

/** What a schema lets somebody write at a place. */
export function schemaOffers(root: JsonSchema, { path, kind, siblings }: YamlPlace): readonly Offer[] {
  const reached = path.reduce<readonly JsonSchema[]>(
    (schemas, name) => schemas.flatMap((schema) => inside(schema, name, root)),
    alternatives(root, root),
  );
  const offers =
    kind === 'value'
      ? reached.flatMap(valueOffers)
      : reached.flatMap((schema) => keyOffers(schema, siblings, root));
  return [...new Map(offers.map((offer) => [offer.apply, offer])).values()];
}

/** A schema with what it refers to, as the list of what it allows. */
function alternatives(schema: JsonSchema, root: JsonSchema, depth = 0): readonly JsonSchema[] {
  const { $ref, anyOf, ...around } = schema;
  if (depth > 20) return [];
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    const found = (root as { readonly $defs?: Readonly<Record<string, JsonSchema>> }).$defs?.[name];
    return found === undefined ? [] : alternatives(found, root, depth + 1);
  }
  if (anyOf === undefined) return [schema];
  return anyOf.flatMap((each) =>
    alternatives(
      around.description === undefined ? each : { description: around.description, ...each },
      root,
      depth + 1,
    ),
  );
}

function inside(schema: JsonSchema, name: string, root: JsonSchema): readonly JsonSchema[] {
  const found = name === '*' ? schema.items : schema.properties?.[name];
  return found === undefined ? [] : alternatives(found, root);
}

/** Whether a map with these entries may still become what the schema describes. */
function fits(
  { properties = {}, additionalProperties }: JsonSchema,
  siblings: YamlPlace['siblings'],
): boolean {
  return [...siblings].every(([name, value]) => {
    const property = properties[name];
    if (property === undefined) return additionalProperties !== false;
    return property.const === undefined || property.const === value;
  });
}

function keyOffers(schema: JsonSchema, siblings: YamlPlace['siblings'], root: JsonSchema): readonly Offer[] {
  // A list of maps where no entry has been begun.
  if (schema.items !== undefined && siblings.size === 0) {
    return alternatives(schema.items, root)
      .flatMap((item) => keyOffers(item, siblings, root))
      .map((offer) => ({ ...offer, apply: `- ${offer.apply}` }));
  }
  if (!fits(schema, siblings)) return [];
  // What must be there comes first, and what may be beside it once it is.
  const needed = schema.required?.filter((name) => !siblings.has(name)) ?? [];
  const isOpen = schema.required?.length === 1 && schema.additionalProperties === false && needed.length > 0;
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !siblings.has(name) && (!isOpen || needed.includes(name)))
    .map(([name, property]) => ({
      label: name,
      apply: `${name}: `,
      kind: 'property',
      ...(property.description === undefined || property.const !== undefined
        ? {}
        : { about: property.description }),
    }));
}

function valueOffers(schema: JsonSchema): readonly Offer[] {
  const about = schema.description === undefined ? {} : { about: schema.description };
  const words =
    schema.const === undefined
      ? (schema.enum ?? (schema.type === 'boolean' ? [true, false] : []))
      : [schema.const];
  const plain = words.map((word): Offer => ({
    label: String(word),
    apply: String(word),
    kind: 'value',
    ...about,
  }));
  const [name, chosen] =
    Object.entries(schema.properties ?? {}).find(([, { const: only }]) => only !== undefined) ?? [];
  if (name === undefined || chosen === undefined) return plain;
  const whole = `{${name}: ${String(chosen.const)}}`;
  const told = chosen.description === undefined ? {} : { about: chosen.description };
  return [...plain, { label: whole, apply: whole, kind: 'value', ...told }];
}
