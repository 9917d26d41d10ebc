import type { ToolParam } from '../api/api-types.ts';
import type { NamedUse } from '../tools/tool-names.ts';

/** A tool use without its id. */
export interface Use extends NamedUse {
  readonly input: unknown;
}

/** The uses that together do what one use asks for, in order, or the reason why it cannot be done. */
export type Translated =
  | { readonly uses: readonly Use[]; readonly refused?: never }
  | { readonly uses?: never; readonly refused: string };

/** One tool of the client in its generation, and its counterpart upstream in another. */
export interface ToolPair {
  readonly client: ToolParam;
  readonly upstream: ToolParam;
  /** Whether a use is of this tool as the client lists it. */
  isClients(use: NamedUse): boolean;
  /** Whether a use in the client's conversation is of this tool, in whatever generation it was made. */
  isRecorded(use: NamedUse): boolean;
  /** Whether a use in the upstream's reply is of this tool. */
  isUpstreams(use: NamedUse): boolean;
  /** Translates a use of the upstream for the client. */
  toClient(use: Use): Translated;
  /**
   * Translates recorded uses of the client for the upstream. Several uses are the parts of one; the result is undefined
   * where they do not make up one. A use that has no translation stays as it is, since nobody will carry it out again.
   */
  toUpstream(uses: readonly Use[]): readonly Use[] | undefined;
  /** Tells the model which actions are missing here and what to do instead; undefined where none are. */
  note(): string | undefined;
}
