import type { StartedEffect } from './explanation.ts';
import { noteEvent, type OpenStep } from './open-step.ts';
import type { ReplayParts } from './replay-parts.ts';

interface Timer {
  readonly key: number;
  readonly ms: number;
  readonly id: string;
  /** The number that the SDK gives a timer; 0 for one of 0 ms. */
  readonly seq: number;
  readonly step: OpenStep;
  eventId: number;
}

/** The delays that are running, with the events of their timers. */
export class HistoryTimers {
  readonly #parts: ReplayParts;
  readonly #timers = new Map<number, Timer>();
  #seq = 0;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
  }

  get running(): readonly StartedEffect[] {
    return [...this.#timers.values()].map(({ id, ms, eventId }) => ({ type: 'delay', id, ms, eventId }));
  }

  start({ key, ms }: { readonly key: number; readonly ms: number }, step: OpenStep): void {
    const { machine, microtasks, ticks, hand } = this.#parts;
    const id = machine.live.delayName(key) ?? '';
    const seq = ms > 0 ? ++this.#seq : 0;
    this.#timers.set(key, { key, ms, id, seq, step, eventId: 0 });
    if (ms === 0) microtasks.after(ticks.noTimer, () => this.#due(key, hand.task.completedId));
  }

  cancel(key: number, step: OpenStep): void {
    const timer = this.#timers.get(key);
    if (timer === undefined) return;
    this.#timers.delete(key);
    const { id, eventId } = timer;
    const cancel = this.#parts.commands.cancelOf('delay', String(eventId))?.id ?? 0;
    noteEvent(step, cancel);
    step.stopped.push({ type: 'delay', id, eventId: cancel });
  }

  cancelAll(step: OpenStep): void {
    for (const key of this.#timers.keys()) this.cancel(key, step);
  }

  /** @param started The event by which the timer was started. */
  fire(started: number, eventId: number): void {
    const timer = [...this.#timers.values()].find((pending) => pending.eventId === started);
    if (timer !== undefined) this.#due(timer.key, eventId);
  }

  /** Gives the timers of this task their events. One that was stopped in the same task has none. */
  match(): void {
    const { commands, hand } = this.#parts;
    for (const timer of this.#timers.values()) {
      if (timer.eventId !== 0 || timer.seq === 0) continue;
      const found = commands.take(
        ({ kind, id, event }) => kind === 'delay' && id === String(timer.seq) && hand.owns(event),
      );
      if (found === undefined)
        this.#parts.hand.part(
          `the machine starts a delay of ${timer.ms} ms ('${timer.id}'), the history does not`,
        );
      timer.eventId = found.event.id;
      const { id, ms, step } = timer;
      step.started.push({ type: 'delay', id, ms, eventId: timer.eventId });
      noteEvent(step, timer.eventId);
    }
  }

  #due(key: number, eventId: number): void {
    const timer = this.#timers.get(key);
    if (timer === undefined) return;
    this.#timers.delete(key);
    this.#parts.mailbox.queue({
      cause: () => ({ type: 'delay', eventId, id: timer.id }),
      take: (interpreter) => interpreter.due(key),
    });
  }
}
