import type { z } from 'zod';
import type { ToolGenerations } from '../tools/generations.ts';
import type { ModelProvider } from './provider.ts';

/** What a provider gets beside its entry in the providers file. */
interface OpenContext {
  /** Its name in the file. */
  readonly name: string;
  /** The absolute path at which an entry's relative paths start. */
  readonly folder: string;
}

/** One `type` of provider, as the providers file may name it. */
export interface ProviderKind {
  readonly type: string;
  /** Fields that may hold `${NAME}` in place of a secret: strings, or objects of strings. */
  readonly secrets: readonly string[];
  /** The generations of tools that its models take where a route names none; by default the model decides. */
  readonly tools?: ToolGenerations;
  readonly schema: z.ZodType;
  /** Checks an entry whose secrets are in place, and makes the provider or returns what is wrong. */
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

/** Combines the schema of an entry with the function that makes a provider of it. */
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
