import { z } from 'zod';
import { anthropicKind } from '../providers/anthropic/anthropic-kind.ts';
import { openaiKind } from '../providers/openai/openai-kind.ts';
import { type ProviderKind, providerKind } from '../providers/provider-kind.ts';
import { replayKind } from '../providers/replay/replay-kind.ts';
import { createScriptProvider } from '../providers/script/script-provider.ts';
import type { TextRecognizer } from '../providers/script/text-recognizer.ts';

/** Every `type` that the providers file may name. */
export function providerKinds(recognizer?: TextRecognizer): readonly ProviderKind[] {
  // With this kind, scripts also run under other model names than `script`.
  const scriptKind = providerKind({
    type: 'script',
    schema: z.strictObject({ type: z.literal('script') }),
    create: () => createScriptProvider({ recognizer }),
  });
  return [anthropicKind, openaiKind, replayKind, scriptKind];
}
