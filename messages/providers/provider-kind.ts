import type { z } from 'zod';
import type { ToolGenerations } from '../tools/generations.ts';
import type { ModelProvider } from './provider.ts';

/** What a provider is opened with beside its own entry in the providers file. */
interface OpenContext {
  /** Its name in the file. */
  readonly name: string;
  /** Absolute; relative paths of an entry start here. */
  readonly folder: string;
}

/** One `type` of provider, as the providers file may name it. */
export interface ProviderKind {
  readonly type: string;
  /** Fields that may hold `${NAME}` in place of a secret: strings, or objects of strings. */
  readonly secrets: readonly string[];
  /** The generations of the provider-defined tools that its models take where a route says nothing; absent: by the model. */
  readonly tools?: ToolGenerations;
  readonly schema: z.ZodType;
  /** Checks an entry, secrets in place, and makes the provider; or tells what is wrong with the entry. */
  open(
    entry: unknown,
    context: OpenContext,
  ): { readonly provider: ModelProvider } | { readonly issues: z.core.$ZodIssue[] };
}

interface ProviderKindOptions<S extends z.ZodType> {
  readonly type: string;
  /** A strict object with `type` as a literal and fields in snake_case. */
  readonly schema: S;
  readonly secrets?: readonly string[];
  readonly tools?: ToolGenerations;
  create(entry: z.infer<S>, context: OpenContext): ModelProvider;
}

/** Ties an entry's schema to what makes a provider of it. */
export function providerKind<S extends z.ZodType>(options: ProviderKindOptions<S>): ProviderKind {
  const { type, schema, secrets = [], tools } = options;
  return {
    type,
    schema,
    secrets,
    ...(tools === undefined ? {} : { tools }),
    open(entry, context) {
      const parsed = schema.safeParse(entry, { reportInput: true });
      if (!parsed.success) return { issues: parsed.error.issues };
      return { provider: options.create(parsed.data, context) };
    },
  };
}
