/** A macrostep as the API gives it; see `explainHistory` of the statechart library. */
export interface Macrostep {
  readonly number: number;
  readonly events: { readonly first: number; readonly last: number };
  readonly at: number;
  readonly cause: Cause;
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly {
    readonly source: string;
    readonly targets: readonly string[];
    readonly event: string;
    readonly guard?: string;
  }[];
  readonly guards: readonly string[];
  readonly actions: readonly string[];
  readonly changed: readonly Change[];
  readonly started: readonly Effect[];
  readonly stopped: readonly Effect[];
  readonly sent: readonly {
    readonly workflowId: string;
    readonly event: { readonly type: string };
    readonly eventId: number;
  }[];
  readonly emitted: readonly unknown[];
  readonly snapshot: unknown;
}

export interface Change {
  /** Such as `order.lines[2].price`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

interface Effect {
  readonly type: string;
  readonly id: string;
  readonly src?: string;
  readonly ms?: number;
  readonly eventId: number;
}

interface Cause {
  readonly type: string;
  readonly eventId: number;
  readonly event?: { readonly type: string };
  readonly actor?: { readonly id: string; readonly src: string };
  readonly id?: string;
  readonly reason?: string;
  readonly isRefused?: boolean;
  readonly [field: string]: unknown;
}

/** What set a macrostep off, in a word or two. */
export function causeOf({ type, event, actor, id, isRefused }: Cause): {
  readonly word: string;
  readonly name: string;
} {
  const name = event?.type ?? actor?.src ?? id ?? '';
  if (isRefused === true) return { word: 'update, not taken', name };
  if (type === 'done' || type === 'error') return { word: type === 'done' ? 'done' : 'failed', name };
  return { word: type, name };
}

/** What came with the event that set a macrostep off. */
export function causeValue({ event, output, error, input }: Cause): unknown {
  return event ?? output ?? error ?? input;
}
