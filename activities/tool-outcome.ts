import type { ActionOutcome } from '../sandbox/protocol.ts';
import { storeContentBytes, type ResultBlock, type BlobSource } from '../sessions/index.ts';
import type { Json, Store } from '../store/index.ts';

/** The recorded outcome of a tool use: an effect under the tool use's id, with pictures as blobs. */
export interface ToolOutcome {
  readonly status: 'done' | 'interrupted';
  readonly is_error: boolean;
  readonly content: readonly ResultBlock<BlobSource>[];
}

export async function recordedOutcome(
  store: Store,
  session: string,
  call: string,
): Promise<ToolOutcome | undefined> {
  const effect = await store.effects.get(session, call);
  return effect?.state === 'done' ? (effect.outcome as unknown as ToolOutcome) : undefined;
}

/** Records what the sandbox answered; the first outcome stands. */
export async function recordOutcome(
  store: Store,
  session: string,
  call: string,
  outcome: Exclude<ActionOutcome, { status: 'unknown' }>,
): Promise<ToolOutcome> {
  const blocks =
    typeof outcome.content === 'string'
      ? [{ type: 'text' as const, text: outcome.content }]
      : outcome.content;
  const content = await storeContentBytes(store.blobs, blocks);
  await store.effects.begin(session, call);
  const recorded = { status: outcome.status, is_error: outcome.is_error, content } as unknown as Json;
  return (await store.effects.finish(session, call, recorded)) as unknown as ToolOutcome;
}
