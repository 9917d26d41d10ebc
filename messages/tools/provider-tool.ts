import type { z } from 'zod';
import type { ProviderTool } from '../api-types.ts';

/** All that is known of one provider-defined tool of one generation. */
export interface ProviderToolKind<T extends ProviderTool = ProviderTool> {
  /** The date-stamped type that a request names it by. */
  readonly type: T['type'];
  /** The beta that allows it. */
  readonly beta: string;
  /** What a request may say of it; nothing else is permitted. */
  readonly schema: z.ZodType<T>;
  /** Input tokens that it adds to a request, as published. */
  readonly tokens: number;
  /** What a model must know of it to call it well, as an entry of a list. */
  describe(tool: T): string;
}
