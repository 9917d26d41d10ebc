/** On which terms a person takes mouse and keyboard. */
export interface TakeoverTerms {
  /** `no_keys`: that keys were pressed is recorded, which ones is not. */
  readonly record: 'full' | 'no_keys';
  /** Without a connection that may act for so long, the takeover ends. */
  readonly disconnect_after_s: number;
  readonly expires_after_s: number;
}

/** A person takes mouse and keyboard. */
export interface TakeoverStart extends TakeoverTerms {
  /** `tkov_...` */
  readonly id: string;
}

export interface TakeoverEnd {
  readonly reason: 'handed_back' | 'disconnected' | 'expired';
  readonly duration_ms: number;
}

/** A person has, or had, mouse and keyboard; the agent's actions are refused meanwhile. Times are RFC 3339. */
export interface Takeover extends Omit<TakeoverStart, 'expires_after_s'> {
  readonly started_at: string;
  readonly expires_at: string;
  readonly ended: TakeoverEnd | null;
}

/** What a person does, in screen pixels; `at_ms` counts from the takeover's start. Typed text stands as keys. */
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

/** The newest takeover, null when there was none, with some of its inputs; the next ones have the number `next`. */
export interface TakeoverPage {
  readonly takeover: Takeover | null;
  readonly inputs: readonly PersonInput[];
  readonly next: number;
  readonly more: boolean;
}
