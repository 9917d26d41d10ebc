import type { Database } from 'libsql';
import type { temporal } from '@temporalio/proto';
import { invalidArgument } from '../protocol/rpc-error.ts';
import {
  type Attribute,
  customFields,
  customSlots,
  type IndexedValueType,
  isIndexedValueType,
  isReserved,
  predefinedAttributes,
  systemAttributes,
  typeName,
} from './attribute-types.ts';
import { decodeAttribute } from './attribute-values.ts';

type IPayload = temporal.api.common.v1.IPayload;

/** A custom attribute: the caller's name for one of the namespace's fields. */
interface CustomAttribute extends Attribute {
  readonly field: string;
}

const schema = `
  CREATE TABLE IF NOT EXISTS search_attribute (
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    type INTEGER NOT NULL,
    field TEXT NOT NULL,
    PRIMARY KEY (namespace, name),
    UNIQUE (namespace, field)
  ) STRICT, WITHOUT ROWID`;

/** Knows which search attributes a namespace has, and checks a run's attributes against them. */
export class SearchAttributeRegistry {
  readonly #db: Database;
  readonly #custom = new Map<string, Map<string, CustomAttribute>>();
  #onRemoved: (namespace: string, attribute: CustomAttribute) => void = () => undefined;

  constructor(db: Database) {
    this.#db = db;
    db.exec(schema);
    const rows = db.prepare('SELECT namespace, name, type, field FROM search_attribute ORDER BY field').all();
    for (const row of rows as (CustomAttribute & { namespace: string })[]) {
      const { namespace, name, type, field } = row;
      this.#of(namespace).set(name, { name, type, field });
    }
  }

  /**
   * Gives names to free fields of the namespace. A name that exists already is left as it is, whatever its type; an
   * empty name is ignored.
   *
   * @throws RpcError INVALID_ARGUMENT when a name is reserved, a type is unknown, or no field of the type is left
   */
  add(namespace: string, attributes: Readonly<Record<string, number>>): void {
    const known = this.#of(namespace);
    const added: CustomAttribute[] = [];
    const taken = new Set([...known.values()].map((a) => a.field));
    for (const [name, type] of Object.entries(attributes)) {
      if (isReserved(name)) throw invalidArgument(`Search attribute ${name} is reserved by system.`);
      if (type !== 0 && !isIndexedValueType(type)) {
        throw invalidArgument(`Unknown search attribute type: ${type}.`);
      }
      if (known.has(name) || name === '') continue;
      const field = isIndexedValueType(type) ? customFields(type).find((f) => !taken.has(f)) : undefined;
      if (!isIndexedValueType(type) || field === undefined) throw noFieldLeft(type);
      taken.add(field);
      added.push({ name, type, field });
    }
    const insert = this.#db.prepare(
      'INSERT INTO search_attribute (namespace, name, type, field) VALUES (?, ?, ?, ?)',
    );
    this.#db.transaction(() => {
      for (const { name, type, field } of added) insert.run(namespace, name, type, field);
    })();
    for (const attribute of added) known.set(attribute.name, attribute);
  }

  /** Sets what is called within the transaction that removes an attribute, whose field may be assigned again. */
  onRemoved(callback: (namespace: string, attribute: CustomAttribute) => void): void {
    this.#onRemoved = callback;
  }

  /**
   * Removes names. Their fields become free, and the values of runs under them are lost. Unknown names are ignored.
   *
   * @throws RpcError INVALID_ARGUMENT when a name is not a custom one
   */
  remove(namespace: string, names: readonly string[]): void {
    for (const name of names) {
      if (systemAttributes.has(name) || predefinedAttributes.has(name)) {
        throw invalidArgument(`Unable to remove non-custom search attributes: ${name}.`);
      }
    }
    const known = this.#of(namespace);
    const remove = this.#db.prepare('DELETE FROM search_attribute WHERE namespace = ? AND name = ?');
    this.#db.transaction(() => {
      for (const name of names) {
        const attribute = known.get(name);
        if (attribute === undefined) continue;
        remove.run(namespace, name);
        this.#onRemoved(namespace, attribute);
      }
    })();
    for (const name of names) known.delete(name);
  }

  /** Answers the namespace's custom attributes by name. */
  custom(namespace: string): ReadonlyMap<string, CustomAttribute> {
    return this.#of(namespace);
  }

  /** Answers the types of the namespace's custom attributes by name. */
  types(namespace: string): ReadonlyMap<string, IndexedValueType> {
    return new Map([...this.#of(namespace)].map(([name, { type }]) => [name, type]));
  }

  /** Answers the names by field, as DescribeNamespace shows them in `config.customSearchAttributeAliases`. */
  aliases(namespace: string): Record<string, string> {
    return Object.fromEntries([...this.#of(namespace).values()].map(({ field, name }) => [field, name]));
  }

  /** Finds an attribute that a run may carry: a custom one, or a settable one that every namespace has. */
  settable(namespace: string, name: string): Attribute | undefined {
    return this.#of(namespace).get(name) ?? predefinedAttributes.get(name);
  }

  /**
   * Checks what a caller wants to set, and returns it with each payload's `type` metadata filled in. Payloads that mean
   * "none" (null, `[]`) are kept: in an upsert they remove the attribute.
   *
   * @throws RpcError INVALID_ARGUMENT when a name is unknown or the system's own, or a value is of another type
   */
  validate(namespace: string, fields: Readonly<Record<string, IPayload>>): Record<string, IPayload> {
    const checked: Record<string, IPayload> = {};
    for (const [name, payload] of Object.entries(fields)) {
      if (systemAttributes.has(name)) {
        throw invalidArgument(`${name} attribute can't be set in SearchAttributes`);
      }
      const attribute = this.settable(namespace, name);
      if (attribute === undefined) {
        throw invalidArgument(`Namespace ${namespace} has no mapping defined for search attribute ${name}`);
      }
      decodeAttribute(attribute, payload);
      const type = Buffer.from(typeName(attribute.type));
      checked[name] = { ...payload, metadata: { type, ...payload.metadata } };
    }
    return checked;
  }

  #of(namespace: string): Map<string, CustomAttribute> {
    let known = this.#custom.get(namespace);
    if (known === undefined) this.#custom.set(namespace, (known = new Map<string, CustomAttribute>()));
    return known;
  }
}

/**
 * Answers the attributes that a run has after some were set: payloads that mean "none" remove an attribute. At the
 * start of a run there are no current ones.
 */
export function mergeSearchAttributes(
  current: Readonly<Record<string, IPayload>>,
  upserts: Readonly<Record<string, IPayload>>,
): Record<string, IPayload> {
  const merged = { ...current, ...upserts };
  for (const [name, payload] of Object.entries(upserts)) {
    const data = Buffer.from(payload.data ?? [])
      .toString('utf8')
      .replaceAll(/\s/g, '');
    if (data === '' || data === 'null' || data === '[]') delete merged[name];
  }
  return merged;
}

function noFieldLeft(type: number): Error {
  const name = isIndexedValueType(type) ? typeName(type) : 'Unspecified';
  const slots = isIndexedValueType(type) ? customSlots[type] : 0;
  return invalidArgument(
    `Unable to create search attributes: cannot have more than ${slots} search attribute of type ${name}.`,
  );
}
