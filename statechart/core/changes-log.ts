import type { Change, ChangesView, MachineState } from './messages.ts';
import type { EmittedEvent } from './effect.ts';

/** The most changes that are kept for subscribers, and that are handed to the next run. */
const KEPT = 200;
const CARRIED = 50;

/** The newest states and emitted events, numbered over all runs. */
export class ChangesLog {
  #seq: number;
  readonly #kept: Change[];
  #last: string | undefined;

  constructor(carried?: { readonly seq: number; readonly kept: readonly Change[] }) {
    this.#seq = carried?.seq ?? 0;
    this.#kept = [...(carried?.kept ?? [])];
    this.#last = keyOf(this.#kept.findLast((change) => change.type === 'state'));
  }

  get cursor(): number {
    return this.#seq;
  }

  /** Notes the state when it is another one than before. */
  noteState(state: MachineState, at: number): void {
    const key = keyOf(state);
    if (key === this.#last) return;
    this.#last = key;
    this.#add({ type: 'state', seq: ++this.#seq, at, ...state });
  }

  noteEmitted({ at }: EmittedEvent, event: unknown): void {
    this.#add({ type: 'emitted', seq: ++this.#seq, at, event });
  }

  since(cursor: number): ChangesView {
    const changes = this.#kept.filter(({ seq }) => seq > cursor);
    return {
      changes,
      cursor: this.#seq,
      lost: (changes[0]?.seq ?? this.#seq + 1) > cursor + 1 && cursor < this.#seq,
    };
  }

  carry(): { readonly seq: number; readonly kept: readonly Change[] } {
    return { seq: this.#seq, kept: this.#kept.slice(-CARRIED) };
  }

  #add(change: Change): void {
    this.#kept.push(change);
    if (this.#kept.length > KEPT) this.#kept.shift();
  }
}

const keyOf = (state: MachineState | undefined): string | undefined =>
  state === undefined ? undefined : `${state.status} ${state.state}`;
