import type { ToolParam } from '../api/api-types.ts';
import type { NamedUse } from '../tools/tool-names.ts';

/** What a tool use says: the block without its id. */
export interface Use extends NamedUse {
  readonly input: unknown;
}

/** The uses that do what one use asks for, in order, or why it cannot be done. */
export type Translated =
  | { readonly uses: readonly Use[]; readonly refused?: never }
  | { readonly uses?: never; readonly refused: string };

/** One tool of the client in its generation, and what stands for it upstream in another. */
export interface ToolPair {
  readonly client: ToolParam;
  readonly upstream: ToolParam;
  /** Whether a use is of this tool as the client lists it. */
  isClients(use: NamedUse): boolean;
  /** Whether a use in the client's conversation is of this tool, in whatever generation it was made. */
  isRecorded(use: NamedUse): boolean;
  /** Whether a use in the upstream's reply is of this tool. */
  isUpstreams(use: NamedUse): boolean;
  /** What the client has to do for a use of the upstream's. */
  toClient(use: Use): Translated;
  /**
   * What the client did, as the upstream's generation says it. Several uses are the parts of one; undefined when they do not
   * make up one. A use that the generation has no words for goes as it is: it is a record, and nobody will carry it out.
   */
  toUpstream(uses: readonly Use[]): readonly Use[] | undefined;
  /** What of the upstream's tool cannot be done here and what to do instead, for the model; undefined when all can. */
  note(): string | undefined;
}
