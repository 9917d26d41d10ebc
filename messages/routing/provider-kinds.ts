import { anthropicKind } from '../providers/anthropic/anthropic-kind.ts';
import { openaiKind } from '../providers/openai/openai-kind.ts';
import type { ProviderKind } from '../providers/provider-kind.ts';
import { replayKind } from '../providers/replay/replay-kind.ts';
import { scriptKind } from '../providers/script/script-kind.ts';
import type { TextRecognizer } from '../providers/script/text-recognizer.ts';

/** Every `type` that the providers file may name. */
export function providerKinds(recognizer?: TextRecognizer): readonly ProviderKind[] {
  return [anthropicKind, openaiKind, replayKind, scriptKind(recognizer)];
}
