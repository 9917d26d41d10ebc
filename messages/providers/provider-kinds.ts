import { anthropicKind } from './anthropic/anthropic-kind.ts';
import { openaiKind } from './openai/openai-kind.ts';
import type { ProviderKind } from './provider-kind.ts';
import { replayKind } from './replay/replay-kind.ts';
import { scriptKind } from './script/script-kind.ts';
import type { TextRecognizer } from './script/text-recognizer.ts';

/** Every `type` that the providers file may name. */
export function providerKinds(recognizer?: TextRecognizer): readonly ProviderKind[] {
  return [anthropicKind, openaiKind, replayKind, scriptKind(recognizer)];
}
