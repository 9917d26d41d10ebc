import type { Attribute } from './attribute-types.ts';

/** A kind of execution that is listed apart from workflows. */
export interface QueryScope {
  /** The query that finds all of the kind. */
  readonly condition: string;
  /** Names of its own; a custom attribute of the same name comes first. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** @throws RpcError INVALID_ARGUMENT for an attribute that callers may not name */
  admit(name: string): void;
}
