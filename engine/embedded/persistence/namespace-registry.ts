import type { temporal } from '@temporalio/proto';
import type { SqliteDatabase } from './database.ts';
import { newTimeOrderedId } from '../primitives/ids.ts';
import { NamespaceState } from '../protocol/proto.ts';
import { invalidArgument, namespaceAlreadyExists, namespaceNotFound } from '../protocol/rpc-error.ts';

/** A build of a worker that an operator has marked as bad. */
export interface BadBinary {
  readonly reason: string;
  readonly operator: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface Namespace {
  readonly name: string;
  readonly id: string;
  readonly description: string;
  readonly ownerEmail: string;
  readonly retentionMs: number;
  readonly state: temporal.api.enums.v1.NamespaceState;
  readonly data: Readonly<Record<string, string>>;
  /** By their checksums. */
  readonly badBinaries: Readonly<Record<string, BadBinary>>;
}

type Change = Partial<Omit<Namespace, 'name' | 'id'>>;

interface Row extends Omit<Namespace, 'data' | 'badBinaries'> {
  readonly data: string;
  readonly badBinaries: string;
}

const DAY_MS = 86_400_000;
/** The shortest retention that the server takes. */
const LEAST_RETENTION_MS = 3_600_000;
const LONGEST_NAME = 1000;

/** The namespaces, which are all in memory. */
export class NamespaceRegistry {
  readonly #byName = new Map<string, Namespace>();
  readonly #insert;
  readonly #change;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      'INSERT INTO namespaces (description, owner_email, retention_ms, state, data, bad_binaries, name, id) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#change = db.prepare(
      'UPDATE namespaces SET description = ?, owner_email = ?, retention_ms = ?, state = ?, data = ?, bad_binaries = ? ' +
        'WHERE name = ?',
    );
    const namespaces = db.prepare(
      'SELECT name, id, description, owner_email AS ownerEmail, retention_ms AS retentionMs, state, data, ' +
        'bad_binaries AS badBinaries FROM namespaces',
    );
    for (const row of namespaces.all() as Row[]) {
      this.#byName.set(row.name, {
        ...row,
        data: JSON.parse(row.data) as Namespace['data'],
        badBinaries: JSON.parse(row.badBinaries) as Namespace['badBinaries'],
      });
    }
  }

  /** Creates the namespace unless it exists. */
  ensure(name: string): void {
    if (!this.#byName.has(name))
      this.#add({ name, description: '', ownerEmail: '', retentionMs: DAY_MS, data: {} });
  }

  register(request: Pick<Namespace, 'name' | 'description' | 'ownerEmail' | 'retentionMs' | 'data'>): void {
    if (request.name === '') throw invalidArgument('Namespace not set on request.');
    if (request.name.length > LONGEST_NAME) throw invalidArgument('Namespace length exceeds limit.');
    requireRetention(request.retentionMs);
    if (this.#byName.has(request.name)) throw namespaceAlreadyExists(request.name);
    this.#add(request);
  }

  /** Changes the given fields; throws NOT_FOUND for a name that nobody registered. */
  update(name: string, change: Change): Namespace {
    const changed = { ...this.get(name), ...change };
    if (change.retentionMs !== undefined) requireRetention(change.retentionMs);
    this.#change.run(...columns(changed), name);
    this.#byName.set(name, changed);
    return changed;
  }

  /** Throws NOT_FOUND for a name that nobody registered, and INVALID_ARGUMENT for none. */
  get(name: string): Namespace {
    if (name === '') throw invalidArgument('Namespace is empty.');
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

  #add(fields: Pick<Namespace, 'name' | 'description' | 'ownerEmail' | 'retentionMs' | 'data'>): void {
    const id = newTimeOrderedId();
    const namespace: Namespace = {
      ...fields,
      id,
      state: NamespaceState.NAMESPACE_STATE_REGISTERED,
      badBinaries: {},
    };
    this.#insert.run(...columns(namespace), namespace.name, id);
    this.#byName.set(namespace.name, namespace);
  }
}

function columns(namespace: Namespace): (string | number)[] {
  const { description, ownerEmail, retentionMs, state, data, badBinaries } = namespace;
  return [description, ownerEmail, retentionMs, state, JSON.stringify(data), JSON.stringify(badBinaries)];
}

function requireRetention(ms: number): void {
  if (ms < LEAST_RETENTION_MS) throw invalidArgument('A valid retention period is not set on request.');
}
