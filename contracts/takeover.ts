/** The conditions of a takeover. */
export interface TakeoverTerms {
  /** `no_keys`: that keys were pressed is recorded, which ones is not. */
  readonly record: 'full' | 'no_keys';
  /** The takeover ends after this long without a connection that may act. */
  readonly disconnect_after_s: number;
  readonly expires_after_s: number;
}

/** A takeover that begins. */
export interface TakeoverStart extends TakeoverTerms {
  /** `tkov_...` */
  readonly id: string;
}

export interface TakeoverEnd {
  readonly reason: 'handed_back' | 'disconnected' | 'expired';
  readonly duration_ms: number;
}

/** A takeover, during which the agent's actions are refused. Times are RFC 3339. */
export interface Takeover extends Omit<TakeoverStart, 'expires_after_s'> {
  readonly started_at: string;
  readonly expires_at: string;
  readonly ended: TakeoverEnd | null;
}

/** A person's input, in screen pixels; `at_ms` counts from the takeover's start. Typed text is recorded as keys. */
export type PersonInput =
  | {
      readonly type: 'button';
      readonly at_ms: number;
      /** X's numbers: 1 left, 2 middle, 3 right, 4 to 7 the wheel up, down, left, right. */
      readonly button: number;
      readonly down: boolean;
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'move'; readonly at_ms: number; readonly x: number; readonly y: number }
  | { readonly type: 'key'; readonly at_ms: number; readonly keysym: string; readonly down: boolean }
  | { readonly type: 'clipboard'; readonly at_ms: number; readonly characters: number };

/** The newest takeover, null when there was none, with a page of its inputs; the next page begins at `next`. */
export interface TakeoverPage {
  readonly takeover: Takeover | null;
  readonly inputs: readonly PersonInput[];
  readonly next: number;
  readonly more: boolean;
}
