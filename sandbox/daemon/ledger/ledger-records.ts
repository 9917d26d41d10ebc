/** The records of a ledger, one a line. */
export type LedgerRecord =
  | { readonly t: 'boot'; readonly boot: string; readonly at: string }
  | { readonly t: 'intent'; readonly key: string; readonly input: string; readonly at: string }
  | ({
      readonly t: 'outcome';
      readonly key: string;
      readonly input: string;
      readonly at: string;
    } & StoredOutcome)
  /** Written by a compaction: the number of computers so far, and keys whose outcomes are no longer kept. */
  | { readonly t: 'boots'; readonly count: number }
  | { readonly t: 'old'; readonly keys: readonly OldKey[] };

/** A key, the `digestOf` its action, and how it ended: done, done with an error, interrupted, or unknown. */
export type OldKey = readonly [key: string, input: string, ended: 'd' | 'e' | 'i' | 'u'];

/** An outcome as it is stored: pictures are names of blobs. */
export interface StoredOutcome {
  readonly outcome:
    | { readonly status: 'unknown'; readonly reason: string }
    | {
        readonly status: 'done' | 'interrupted';
        readonly is_error: boolean;
        readonly content: string | readonly StoredContent[];
      };
}
export type StoredContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly blob: string };

/** What an outcome is shortened to when its key becomes old. */
export function endOf({ outcome }: StoredOutcome): OldKey[2] {
  if (outcome.status === 'unknown') return 'u';
  if (outcome.status === 'interrupted') return 'i';
  return outcome.is_error ? 'e' : 'd';
}

/** The outcome that is returned for an old key. */
export function outcomeOf(ended: OldKey[2]): StoredOutcome['outcome'] {
  if (ended === 'u') return { status: 'unknown', reason: 'an earlier attempt was cut short, long ago' };
  return {
    status: ended === 'i' ? 'interrupted' : 'done',
    is_error: ended !== 'd',
    content: '<system>this was done long ago and not again; what came of it is no longer kept</system>',
  };
}

/** Names of the pictures in an outcome. */
export function blobsOf({ outcome }: StoredOutcome): string[] {
  if (outcome.status === 'unknown' || typeof outcome.content === 'string') return [];
  return outcome.content.flatMap((block) => (block.type === 'image' ? [block.blob] : []));
}
