import type { z } from 'zod';
import type { ProviderTool } from '../api/api-types.ts';
import type { ToolFunction } from './tool-function.ts';

/** One provider-defined tool of one generation. */
export interface ProviderToolKind<T extends ProviderTool = ProviderTool> {
  /** The tool's type in a request, which ends in a date. */
  readonly type: T['type'];
  /** The beta that the tool needs, or null. */
  readonly beta: string | null;
  /** The fields that a request may have for it. */
  readonly schema: z.ZodType<T>;
  /** The published number of input tokens that its definition adds to a request. */
  tokens(tool: T, model: string): number;
  /** The tool's entry in the generated system prompt. */
  describe(tool: T): string;
  /**
   * The tool as functions with input schemas, for models that do not know provider-defined tools. Models of the API
   * know the tools and need none.
   */
  functions(tool: T): readonly ToolFunction[];
}
