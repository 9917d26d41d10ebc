import type { AppendRequest, Appended, SessionChange, SessionRecord, TimeRange } from './events.ts';
import type { JsonObject } from './json.ts';

type NewSessionRecord = Pick<SessionRecord, 'id' | 'agent_id' | 'agent_version' | 'status' | 'data'>;

/** A session whose deletion has begun. */
export interface DeletedSession {
  readonly id: string;
  /** Null when it cannot be read. */
  readonly data: JsonObject | null;
}

/** An exclusive place in a list that is ordered by creation. */
export interface ListPlace {
  readonly created_at: string;
  readonly id: string;
}

export interface ListRequest {
  readonly includeArchived?: boolean;
  readonly createdAt?: TimeRange;
  /** By time of creation; default `desc`. */
  readonly order?: 'asc' | 'desc';
  readonly after?: ListPlace;
  readonly limit: number;
}

/** Of records that have a name. */
export interface NamedListRequest extends ListRequest {
  /** A part of the name, in any case, or the beginning of the id. */
  readonly search?: string;
}

export interface SessionListRequest extends ListRequest {
  readonly agentId?: string;
  readonly agentVersion?: number;
  readonly environmentId?: string;
  readonly statuses?: readonly string[];
}

export interface SessionRecords {
  /** Creates the session and, in the same transaction, its first events and its sealed secrets. */
  insert(
    record: NewSessionRecord,
    first?: Omit<AppendRequest, 'session'>,
    sealed?: Uint8Array,
  ): Promise<Appended>;
  /** The sealed secrets of the session. */
  sealed(id: string): Promise<Uint8Array | undefined>;
  get(id: string): Promise<SessionRecord | undefined>;
  /** Reads, changes and writes the record in one transaction; `change` must be pure. Throws NotStoredError. */
  update(id: string, change: (record: SessionRecord) => SessionChange): Promise<SessionRecord>;
  list(request: SessionListRequest): Promise<readonly SessionRecord[]>;
  /**
   * Makes the session invisible: it is in no list and takes no event after `last`, and its outbox is emptied. This is
   * recorded, so that the deletion continues after a crash. False when there is no such session.
   */
  beginDeletion(id: string, last?: Omit<AppendRequest, 'session'>): Promise<boolean>;
  /** The sessions whose deletion has begun and not ended, oldest first. */
  deleting(): Promise<readonly DeletedSession[]>;
  /** Deletes the session with its log, outbox, effects and blobs, in small transactions. False when there was none. */
  delete(id: string): Promise<boolean>;
}

/** One version of an agent. */
export interface AgentRecord {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  /** When this version was made. */
  readonly updated_at: string;
  readonly archived_at: string | null;
  readonly data: JsonObject;
}

export interface AgentRecords {
  /** Adds a version; version 1 makes the agent. Throws VersionConflictError unless it is the next one. */
  put(id: string, version: number, data: JsonObject): Promise<AgentRecord>;
  /** One version, by default the newest. */
  get(id: string, version?: number): Promise<AgentRecord | undefined>;
  /** Lists agents, each in its newest version. */
  list(request: NamedListRequest): Promise<readonly AgentRecord[]>;
  /** The versions of an agent, newest first, below `beforeVersion` when given. */
  versions(id: string, limit: number, beforeVersion?: number): Promise<readonly AgentRecord[]>;
  /** Archives the agent; archiving it again keeps the first time. Throws NotStoredError. */
  archive(id: string): Promise<AgentRecord>;
}

export interface EnvironmentRecord {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  readonly data: JsonObject;
}

export interface EnvironmentRecords {
  /** Adds the environment; when the id is taken it answers the existing record. */
  insert(id: string, data: JsonObject): Promise<EnvironmentRecord>;
  get(id: string): Promise<EnvironmentRecord | undefined>;
  /** Replaces `before` by `after`; undefined when the record holds something else by now, or is gone. */
  update(id: string, before: JsonObject, after: JsonObject): Promise<EnvironmentRecord | undefined>;
  list(request: NamedListRequest): Promise<readonly EnvironmentRecord[]>;
  archive(id: string): Promise<EnvironmentRecord>;
  delete(id: string): Promise<boolean>;
}
