import type { AnyActorRef, AnyEventObject } from 'xstate';
import type { CarriedActor } from './carried.ts';
import type { Delays } from './delays.ts';
import type { ChildState, DurableHost, DurableSnapshot, DurableSource, Settlement } from './durable-logic.ts';
import type { ActorStart, Effect } from './effect.ts';

interface Entry {
  readonly actor: AnyActorRef;
  readonly source: DurableSource;
  readonly input: unknown;
  readonly path: readonly string[];
  step: number | undefined;
  failures: number;
  /** The delay before a restart. */
  restart?: { readonly key: number; readonly at: number };
  isAttached: boolean;
}

interface DurableActorsOptions {
  readonly carried: readonly CarriedActor[];
  readonly steps: number;
  readonly delays: Delays;
  readonly wake: () => void;
  readonly now: () => number;
  readonly pathOf: (actor: AnyActorRef) => readonly string[];
  readonly forward: (actor: AnyActorRef, event: AnyEventObject) => void;
  /** Sends an event to the parent of the actor at a path. */
  readonly tellParent: (path: readonly string[], event: AnyEventObject) => void;
}

const DEFAULT_BACKOFF = 1000;
const DEFAULT_MAX_BACKOFF = 60_000;

/**
 * The actors of a machine that run outside of it. Each start gets a number of its own, and an outcome counts only while the
 * actor of that number is running, so a late one of a stopped actor is dropped.
 */
export class DurableActors implements DurableHost {
  readonly #options: DurableActorsOptions;
  readonly #carried: Map<string, { readonly actor: CarriedActor; readonly order: number }>;
  readonly #running = new Map<number, Entry>();
  readonly #entries = new Map<AnyActorRef, Entry>();
  #starting: Entry[] = [];
  #stops: number[] = [];
  #steps: number;

  constructor(options: DurableActorsOptions) {
    this.#options = options;
    this.#steps = options.steps;
    this.#carried = new Map(
      options.carried.map((actor, order) => [(actor.path ?? [actor.id]).join('/'), { actor, order }]),
    );
  }

  /** The number of invocations so far. */
  get steps(): number {
    return this.#steps;
  }

  get running(): readonly ActorStart[] {
    return [...this.#running.entries()].map(([step, entry]) => ({ ...startOf(entry), step }));
  }

  begin(actor: AnyActorRef, source: DurableSource, input: unknown): void {
    const path = this.#options.pathOf(actor);
    const key = path.join('/');
    const carried = this.#carried.get(key)?.actor;
    this.#carried.delete(key);
    const entry: Entry = {
      actor,
      source,
      input,
      path,
      step: carried?.step,
      failures: carried?.failures ?? 0,
      isAttached: carried?.isAttached ?? false,
    };
    this.#entries.set(actor, entry);
    if (carried?.restartAt === undefined) this.#starting.push(entry);
    else this.#startAfter(entry, carried.restartAt - this.#options.now());
    if (carried === undefined) this.#showParent(entry);
    this.#options.wake();
  }

  stop(actor: AnyActorRef): void {
    const entry = this.#entries.get(actor);
    if (entry === undefined) return;
    this.#entries.delete(actor);
    if (entry.restart !== undefined) this.#options.delays.cancel(entry.restart.key);
    this.#starting = this.#starting.filter((starting) => starting !== entry);
    if (entry.step !== undefined && this.#running.delete(entry.step)) this.#stops.push(entry.step);
    this.#options.wake();
  }

  /** Only children take events; other actors ignore them, as promise actors do in XState. */
  forward(actor: AnyActorRef, event: AnyEventObject): void {
    const kind = this.#entries.get(actor)?.source.spec.kind;
    if (kind === 'child-machine' || kind === 'child-workflow') this.#options.forward(actor, event);
  }

  settle(step: number, outcome: { readonly output: unknown } | { readonly error: unknown }): void {
    const entry = this.#running.get(step);
    if (entry === undefined) return;
    this.#running.delete(step);
    if ('error' in outcome && this.#isSupervised(entry)) return;
    this.#entries.delete(entry.actor);
    tell(
      entry.actor,
      'output' in outcome
        ? { type: 'durable.done', output: outcome.output }
        : { type: 'durable.error', error: outcome.error },
    );
  }

  /** What the parent knows of the state of a child machine. */
  seen(step: number): ChildState | undefined {
    return (this.#running.get(step)?.actor.getSnapshot() as DurableSnapshot | undefined)?.seen;
  }

  show(step: number, state: ChildState): void {
    const entry = this.#running.get(step);
    if (entry === undefined) return;
    tell(entry.actor, { type: 'durable.snapshot', state });
    this.#showParent(entry);
  }

  /** The stops since the last call, in the order in which the actors were started. */
  takeStops(): Effect[] {
    const stops = this.#stops.sort((a, b) => a - b);
    this.#stops = [];
    return stops.map((step) => ({ type: 'stop', step }));
  }

  takeStarts(): ActorStart[] {
    const starting = this.#starting;
    this.#starting = [];
    return this.#begun(starting);
  }

  /** Takes the actors that an earlier run has started and that run on. They may have ended in the meantime. */
  takeAttached(): ActorStart[] {
    const attached = this.#starting.filter(({ isAttached }) => isAttached);
    this.#starting = this.#starting.filter(({ isAttached }) => !isAttached);
    return this.#begun(attached);
  }

  #begun(starting: Entry[]): ActorStart[] {
    const order = (entry: Entry): number => this.#orderOf(entry);
    return starting
      .sort((a, b) => order(a) - order(b))
      .map((entry) => {
        entry.step ??= ++this.#steps;
        this.#running.set(entry.step, entry);
        return { ...startOf(entry), step: entry.step, isAttached: entry.isAttached };
      });
  }

  /** What XState does of itself for an actor in the process whose snapshots are wanted. */
  #showParent({ actor, source, path }: Entry): void {
    const snapshot = actor.getSnapshot() as DurableSnapshot;
    if (!source.watched || snapshot.seen === undefined) return;
    this.#options.tellParent(path, { type: `xstate.snapshot.${actor.id}`, snapshot });
  }

  stepOf(actor: AnyActorRef): number | undefined {
    return this.#entries.get(actor)?.step;
  }

  /** What the next run needs to go on with the actors under the same numbers. */
  carry(): CarriedActor[] {
    const entries = new Set([...this.#running.values(), ...this.#starting, ...this.#entries.values()]);
    return [...entries].map(({ actor, source, input, path, step, failures, restart }) => ({
      id: actor.id,
      src: source.name,
      input,
      path,
      ...(step === undefined ? {} : { step }),
      ...(failures === 0 ? {} : { failures }),
      ...(restart === undefined ? {} : { restartAt: restart.at }),
      ...(source.spec.kind === 'child-machine' && step !== undefined && restart === undefined
        ? { isAttached: true }
        : {}),
    }));
  }

  /** Carried actors start in the order in which they did before. */
  #orderOf(entry: Entry): number {
    return entry.step ?? Number.MAX_SAFE_INTEGER;
  }

  /** Whether the failure of a supervised child is dealt with here: by a restart, or by its end. */
  #isSupervised(entry: Entry): boolean {
    const { spec } = entry.source;
    if (!('supervision' in spec) || spec.supervision === undefined) return false;
    const {
      restarts = 0,
      backoff = DEFAULT_BACKOFF,
      maxBackoff = DEFAULT_MAX_BACKOFF,
      then,
    } = spec.supervision;
    if (entry.failures < restarts) {
      const wait = Math.min(maxBackoff, backoff * 2 ** entry.failures);
      entry.failures += 1;
      entry.step = undefined;
      entry.isAttached = false;
      this.#startAfter(entry, wait);
      return true;
    }
    if (then !== 'stop') return false;
    this.#entries.delete(entry.actor);
    tell(entry.actor, { type: 'durable.stopped' });
    return true;
  }

  #startAfter(entry: Entry, ms: number): void {
    const key = this.#options.delays.add(ms, () => {
      delete entry.restart;
      this.#starting.push(entry);
    });
    entry.restart = { key, at: this.#options.now() + Math.max(0, ms) };
  }
}

const startOf = ({ path, source, input }: Entry): Omit<ActorStart, 'step'> => ({ path, source, input });

const tell = (actor: AnyActorRef, settlement: Settlement): void => actor.send(settlement);
