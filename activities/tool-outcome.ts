import type { ActionOutcome } from '@steadyhand/contracts';
import {
  type BlobSource,
  type PolicyDecision,
  putAndName,
  type ResultBlock,
  storeContentBytes,
} from '@steadyhand/sessions';
import type { Json, Store } from '@steadyhand/store';

/** The recorded outcome of a tool use: an effect under the tool use's id, with pictures as blobs. */
interface ToolOutcome {
  readonly status: 'done' | 'interrupted';
  readonly is_error: boolean;
  readonly content: readonly ResultBlock<BlobSource>[];
  /** The decision of a rule by which it was not performed. */
  readonly policy_decision?: PolicyDecision;
}

export async function recordedOutcome(
  store: Store,
  session: string,
  toolUse: string,
): Promise<ToolOutcome | undefined> {
  const effect = await store.effects.get(session, toolUse);
  return effect?.state === 'done' ? (effect.outcome as unknown as ToolOutcome) : undefined;
}

/** Records the outcome of a tool use; the first one that is recorded stands. */
export async function recordOutcome(
  store: Store,
  session: string,
  toolUse: string,
  outcome: Exclude<ActionOutcome, { status: 'unknown' }> & { readonly policy_decision?: PolicyDecision },
): Promise<ToolOutcome> {
  const blocks =
    typeof outcome.content === 'string'
      ? [{ type: 'text' as const, text: outcome.content }]
      : outcome.content;
  const { status, is_error, policy_decision } = outcome;
  const decided = policy_decision === undefined ? {} : { policy_decision };
  await store.effects.begin(session, toolUse);
  return putAndName(
    () => storeContentBytes(store.blobs, blocks),
    async (content) => {
      const recorded = { status, is_error, content, ...decided } as unknown as Json;
      return (await store.effects.finish(session, toolUse, recorded)) as unknown as ToolOutcome;
    },
  );
}
