import { z } from 'zod';
import { type ProviderKind, providerKind } from '../provider-kind.ts';
import { createScriptProvider } from './script-provider.ts';
import type { TextRecognizer } from './text-recognizer.ts';

/** `type: script`: scripts under other names than `script`. */
export function scriptKind(recognizer: TextRecognizer | undefined): ProviderKind {
  return providerKind({
    type: 'script',
    schema: z.strictObject({ type: z.literal('script') }),
    create: () => createScriptProvider({ recognizer }),
  });
}
