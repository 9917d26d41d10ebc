import type { SqliteDatabase } from './database.ts';
import { newTimeOrderedId } from '../primitives/ids.ts';
import { invalidArgument, namespaceAlreadyExists, namespaceNotFound } from '../protocol/rpc-error.ts';

export interface Namespace {
  readonly name: string;
  readonly id: string;
  readonly description: string;
  readonly ownerEmail: string;
  readonly retentionMs: number;
}

const DAY_MS = 86_400_000;

/** The namespaces, which are all in memory. */
export class NamespaceRegistry {
  readonly #byName = new Map<string, Namespace>();
  readonly #insert;
  readonly #change;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      'INSERT INTO namespaces (name, id, description, owner_email, retention_ms) VALUES (?, ?, ?, ?, ?)',
    );
    this.#change = db.prepare(
      'UPDATE namespaces SET description = ?, owner_email = ?, retention_ms = ? WHERE name = ?',
    );
    const namespaces = db.prepare(
      'SELECT name, id, description, owner_email AS ownerEmail, retention_ms AS retentionMs FROM namespaces',
    );
    for (const row of namespaces.all() as Namespace[]) this.#byName.set(row.name, row);
  }

  /** Creates the namespace unless it exists. */
  ensure(name: string): void {
    if (!this.#byName.has(name))
      this.#add({ name, id: newTimeOrderedId(), description: '', ownerEmail: '', retentionMs: DAY_MS });
  }

  register(request: { name: string; description: string; ownerEmail: string; retentionMs: number }): void {
    if (request.name === '') throw invalidArgument('Namespace not set on request.');
    if (request.retentionMs <= 0) throw invalidArgument('A valid retention period is not set on request.');
    if (this.#byName.has(request.name)) throw namespaceAlreadyExists(request.name);
    this.#add({ ...request, id: newTimeOrderedId() });
  }

  /** Changes the given fields; throws NOT_FOUND for a name that nobody registered. */
  update(
    name: string,
    change: Partial<Pick<Namespace, 'description' | 'ownerEmail' | 'retentionMs'>>,
  ): Namespace {
    const changed = { ...this.get(name), ...change };
    if (changed.retentionMs <= 0) throw invalidArgument('A valid retention period is not set on request.');
    const { description, ownerEmail, retentionMs } = changed;
    this.#change.run(description, ownerEmail, retentionMs, name);
    this.#byName.set(name, changed);
    return changed;
  }

  /** Throws NOT_FOUND for a name that nobody registered. */
  get(name: string): Namespace {
    const namespace = this.#byName.get(name);
    if (!namespace) throw namespaceNotFound(name);
    return namespace;
  }

  byId(id: string): Namespace {
    for (const namespace of this.#byName.values()) if (namespace.id === id) return namespace;
    throw namespaceNotFound(id);
  }

  all(): Namespace[] {
    return [...this.#byName.values()];
  }

  #add(namespace: Namespace): void {
    const { name, id, description, ownerEmail, retentionMs } = namespace;
    this.#insert.run(name, id, description, ownerEmail, retentionMs);
    this.#byName.set(name, namespace);
  }
}
