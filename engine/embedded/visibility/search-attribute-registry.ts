import type { Database } from 'libsql';
import type { temporal } from '@temporalio/proto';
import { invalidArgument } from '../rpc/errors.ts';
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
export interface CustomAttribute extends Attribute {
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

/** Which search attributes a namespace has, and whether a run's attributes fit them. */
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
   * empty name is passed over.
   *
   * @throws RpcError INVALID_ARGUMENT: reserved name, unknown type, or no field of the type left
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

  /** Calls back within the transaction that takes an attribute away: its field may soon stand for another one. */
  onRemoved(callback: (namespace: string, attribute: CustomAttribute) => void): void {
    this.#onRemoved = callback;
  }

  /**
   * Takes names away; their fields become free, and what runs had under them is gone. Unknown names are passed over.
   *
   * @throws RpcError INVALID_ARGUMENT: a name of the system's own
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

  /** The namespace's custom attributes by name. */
  custom(namespace: string): ReadonlyMap<string, CustomAttribute> {
    return this.#of(namespace);
  }

  /** The types of the namespace's custom attributes by name. */
  types(namespace: string): ReadonlyMap<string, IndexedValueType> {
    return new Map([...this.#of(namespace)].map(([name, { type }]) => [name, type]));
  }

  /** Field to name, as DescribeNamespace shows it in `config.customSearchAttributeAliases`. */
  aliases(namespace: string): Record<string, string> {
    return Object.fromEntries([...this.#of(namespace).values()].map(({ field, name }) => [field, name]));
  }

  /** An attribute that a run may carry: custom, or one of the settable ones every namespace has. */
  settable(namespace: string, name: string): Attribute | undefined {
    return this.#of(namespace).get(name) ?? predefinedAttributes.get(name);
  }

  /**
   * Checks what a caller wants to set, and returns it with each payload's `type` metadata filled in. Payloads that
   * mean "none" (null, `[]`) are kept: in an upsert they remove the attribute.
   *
   * @throws RpcError INVALID_ARGUMENT with the server's text: unknown or system name, or a value of another type
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
 * The attributes a run has after some were set: payloads that mean "none" take an attribute away. For a start, pass no
 * current ones.
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
