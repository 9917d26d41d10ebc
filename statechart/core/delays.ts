import type { ActorOptions, AnyActorLogic, AnyActorRef, AnyEventObject } from 'xstate';
import type { Effect } from './effect.ts';

interface Delay {
  readonly key: number;
  readonly at: number;
  readonly fire: () => void;
  /** Absent for a delay that is not an event of XState's, such as the time before a restart. */
  readonly id?: string | undefined;
  readonly source?: AnyActorRef;
  readonly target?: AnyActorRef;
  readonly event?: AnyEventObject;
}

/** XState's clock, which starts and clears timers. */
export type Clock = NonNullable<ActorOptions<AnyActorLogic>['clock']>;

type Scheduler = AnyActorRef['system']['scheduler'];

/** The delayed events of all actors of a machine. XState schedules them on a clock whose timers come out as effects. */
export class Delays {
  readonly #now: () => number;
  readonly #wake: () => void;
  readonly #pending = new Map<number, Delay>();
  #effects: Effect[] = [];
  #keys = 0;
  /** The event that XState is scheduling; its clock is only told a function and a time. */
  #scheduling: Pick<Delay, 'id' | 'source' | 'target' | 'event'> = {};
  /** The time at which a carried delay is over, which the milliseconds that are left would only round. */
  #resumedAt: number | undefined;

  constructor(now: () => number, wake: () => void) {
    this.#now = now;
    this.#wake = wake;
  }

  readonly clock: Clock = {
    setTimeout: (fire, ms) => this.#add(fire, ms),
    clearTimeout: (key: number) => this.cancel(key),
  };

  /** Notes of every event that XState schedules whose it is. */
  attach(scheduler: Scheduler): void {
    const schedule = scheduler.schedule.bind(scheduler);
    scheduler.schedule = (source, target, event, delay, id) => {
      this.#scheduling = { source, target, event, id };
      try {
        schedule(source, target, event, delay, id);
      } finally {
        this.#scheduling = {};
      }
    };
  }

  /** The pending delays, in the order they were scheduled. */
  list(): readonly Delay[] {
    return [...this.#pending.values()];
  }

  /** Schedules something that is no event of XState's. Answers its key. */
  add(ms: number, fire: () => void): number {
    return this.#add(fire, ms);
  }

  /** Lets `schedule` schedule an event whose delay began in an earlier run. */
  resume(at: number, schedule: () => void): void {
    this.#resumedAt = at;
    schedule();
    this.#resumedAt = undefined;
  }

  cancel(key: number): void {
    if (!this.#pending.delete(key)) return;
    this.#effects.push({ type: 'cancel', key });
    this.#wake();
  }

  due(key: number): void {
    const delay = this.#pending.get(key);
    if (!this.#pending.delete(key)) return;
    delay?.fire();
  }

  takeEffects(): Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  #add(fire: () => void, delay: number): number {
    const key = ++this.#keys;
    const ms = Math.max(0, Number.isFinite(delay) ? delay : 0);
    this.#pending.set(key, { key, at: this.#resumedAt ?? this.#now() + ms, fire, ...this.#scheduling });
    this.#effects.push({ type: 'delay', key, ms });
    this.#wake();
    return key;
  }
}
