import type { ActionOutcome } from '@steadyhand/contracts';
import {
  type BlobSource,
  type PolicyDecision,
  putAndName,
  type ResultBlock,
  storeContentBytes,
} from '@steadyhand/sessions';
import { type Json, NotStoredError, type Store } from '@steadyhand/store';
import { readIntent, type SessionComputer } from './session-computer.ts';

/** The recorded outcome of a tool use: an effect under the tool use's id, with pictures as blobs. */
interface ToolOutcome {
  readonly status: 'done' | 'interrupted';
  readonly is_error: boolean;
  readonly content: readonly ResultBlock<BlobSource>[];
  /** The decision of a rule by which it was not performed. */
  readonly policy_decision?: PolicyDecision;
}

/** What is recorded of a tool use: its outcome, and the computer that it was given to. */
interface ToolEffect {
  readonly recorded: ToolOutcome | undefined;
  readonly given: SessionComputer | null;
}

export async function readToolEffect(store: Store, session: string, toolUse: string): Promise<ToolEffect> {
  const effect = await store.effects.get(session, toolUse);
  const recorded = effect?.state === 'done' ? (effect.outcome as unknown as ToolOutcome) : undefined;
  return { recorded, given: readIntent(effect?.intent) };
}

export async function recordedOutcome(
  store: Store,
  session: string,
  toolUse: string,
): Promise<ToolOutcome | undefined> {
  return (await readToolEffect(store, session, toolUse)).recorded;
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
  return putAndName(
    () => storeContentBytes(store.blobs, blocks),
    async (content) => {
      const recorded = { status, is_error, content, ...decided } as unknown as Json;
      const finish = (): Promise<Json> => store.effects.finish(session, toolUse, recorded);
      const first = await finish().catch(async (error: unknown) => {
        // What was not performed was not begun.
        if (!(error instanceof NotStoredError)) throw error;
        await store.effects.begin(session, toolUse);
        return finish();
      });
      return first as unknown as ToolOutcome;
    },
  );
}
