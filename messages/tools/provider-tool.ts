import type { z } from 'zod';
import type { ProviderTool } from '../api/api-types.ts';
import type { ToolFunction } from './tool-function.ts';

/** All that is known of one provider-defined tool of one generation. */
export interface ProviderToolKind<T extends ProviderTool = ProviderTool> {
  /** The date-stamped type that a request names it by. */
  readonly type: T['type'];
  /** The beta that allows it; null where it needs none. */
  readonly beta: string | null;
  /** What a request may say of it; nothing else is permitted. */
  readonly schema: z.ZodType<T>;
  /** Input tokens that its definition adds to a request to a model, as published. */
  tokens(tool: T, model: string): number;
  /** What a model must know of it to call it well, as an entry of a list. */
  describe(tool: T): string;
  /**
   * The tool as functions with a schema of their input, for models that know no provider-defined tools. The API itself has
   * them built into the model and takes none.
   */
  functions(tool: T): readonly ToolFunction[];
}
