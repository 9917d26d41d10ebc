import type { AppendRequest, Appended, TimeRange } from './events.ts';
import type { JsonObject } from './json.ts';

/** What is known of a session beside its log. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface SessionRecord {
  readonly id: string;
  readonly agent_id: string;
  readonly agent_version: number;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  /** The fencing token of whoever runs the session. */
  readonly epoch: number;
  /** The last seq of the log, 0 when it is empty. */
  readonly cursor: number;
  /** The hash of the last event, or of nothing. */
  readonly head: string;
  /** The rest, in the words of the room above. */
  readonly data: JsonObject;
}

export type NewSessionRecord = Pick<SessionRecord, 'id' | 'agent_id' | 'agent_version' | 'status' | 'data'>;

export type SessionChange = Partial<Pick<SessionRecord, 'status' | 'archived_at' | 'data'>>;

/** What is known of a session whose deletion has begun. */
export interface DeletedSession {
  readonly id: string;
  /** Null when it cannot be read. */
  readonly data: JsonObject | null;
}

/** A place in a list that is ordered by creation: exclusive. */
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

export interface SessionListRequest extends ListRequest {
  readonly agentId?: string;
  readonly agentVersion?: number;
  readonly statuses?: readonly string[];
}

export interface SessionRecords {
  /** Creates the session and, in the same transaction, its first events and what is kept sealed of it. */
  insert(
    record: NewSessionRecord,
    first?: Omit<AppendRequest, 'session'>,
    sealed?: Uint8Array,
  ): Promise<Appended>;
  /** What was sealed at the session's creation. */
  sealed(id: string): Promise<Uint8Array | undefined>;
  get(id: string): Promise<SessionRecord | undefined>;
  /** Reads, changes and writes in one transaction; `change` must be pure. Throws NotStoredError. */
  update(id: string, change: (record: SessionRecord) => SessionChange): Promise<SessionRecord>;
  list(request: SessionListRequest): Promise<readonly SessionRecord[]>;
  /**
   * From here on the session is gone for everybody: it is in no list and takes no event after `last`, and what waited in its
   * outbox is dropped. Recorded, so that whoever comes after a crash sees to the rest. False when there is none.
   */
  beginDeletion(id: string, last?: Omit<AppendRequest, 'session'>): Promise<boolean>;
  /** The sessions whose deletion has begun and has not ended, oldest first. */
  deleting(): Promise<readonly DeletedSession[]>;
  /** Deletes the session with its log, outbox, effects and blobs, in small turns. False when there was none. */
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
  /** Adds a version: 1 makes the agent. Throws VersionConflictError unless it is the next one. */
  put(id: string, version: number, data: JsonObject): Promise<AgentRecord>;
  /** The newest version by default. */
  get(id: string, version?: number): Promise<AgentRecord | undefined>;
  /** Newest versions only. */
  list(request: ListRequest): Promise<readonly AgentRecord[]>;
  /** All versions of one agent, newest first, below `beforeVersion` when given. */
  versions(id: string, limit: number, beforeVersion?: number): Promise<readonly AgentRecord[]>;
  /** Throws NotStoredError. Archiving twice keeps the first time. */
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
  /** Does nothing and answers the existing record when the id is taken. */
  insert(id: string, data: JsonObject): Promise<EnvironmentRecord>;
  get(id: string): Promise<EnvironmentRecord | undefined>;
  /** Puts `after` in the place of `before`; undefined when something else stands there by now, or nothing. */
  update(id: string, before: JsonObject, after: JsonObject): Promise<EnvironmentRecord | undefined>;
  list(request: ListRequest): Promise<readonly EnvironmentRecord[]>;
  archive(id: string): Promise<EnvironmentRecord>;
  delete(id: string): Promise<boolean>;
}
