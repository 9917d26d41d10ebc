import { createActor, fromPromise, SimulatedClock, type AnyActorLogic, type AnyStateMachine } from 'xstate';
import { FAR, GATED, NEVER, type Row, type Source, type Step } from './row.ts';
import { ROOT, viewOf, type Look } from './view.ts';

/** Lets every promise settle that can. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
}

interface Gate {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A row in XState itself: what it shows at the beginning and after each step. */
export async function runPlain(row: Row): Promise<readonly Look[]> {
  const trace: string[] = [];
  const gates = new Map<string, Gate>();
  const clock = new TimedClock();
  const machine = withSources(
    row.machine((text) => trace.push(text)),
    row.sources ?? {},
    gates,
  );
  const actor = createActor(machine, {
    id: ROOT,
    clock,
    logger: () => undefined,
    ...(row.input === undefined ? {} : { input: row.input as never }),
  });
  let failure: { readonly error: unknown } | undefined;
  actor.subscribe({ error: (error: unknown) => (failure = { error }) });
  const emitted: string[] = [];
  actor.on('*', (event: object) => emitted.push(JSON.stringify(event)));
  const looks: Look[] = [];
  const look = async (): Promise<void> => {
    await quiet();
    const view = viewOf(actor.getSnapshot(), failure, [
      ...trace,
      ...emitted.map((text) => `emitted ${text}`),
    ]);
    looks.push({ view, rests: clock.next >= FAR / 2 });
  };
  actor.start();
  await look();
  for (const step of row.steps ?? []) {
    await play(step);
    await look();
  }
  actor.stop();
  return looks;

  async function play(step: Step): Promise<void> {
    if ('type' in step) {
      if (failure === undefined) actor.send(step as never);
    } else if ('settle' in step) {
      const gate = gates.get(step.settle as string);
      if ('error' in step && step.error !== undefined) gate?.reject(step.error);
      else gate?.resolve(step['output']);
    } else {
      // Time passes as it does in a test actor: each delay ends at its time, with what follows from it.
      const end = clock.now() + (step.wait as number);
      while (clock.now() + clock.next <= end) {
        clock.increment(clock.next);
        await quiet();
      }
      clock.set(end);
    }
  }
}

/** XState's own clock, which also tells how long it is until the next delay ends. */
class TimedClock extends SimulatedClock {
  readonly #ends = new Map<number, number>();

  override setTimeout(fire: (...args: unknown[]) => void, ms: number): number {
    const id = super.setTimeout(() => {
      this.#ends.delete(id);
      fire();
    }, ms);
    this.#ends.set(id, this.now() + ms);
    return id;
  }

  override clearTimeout(id: number): void {
    this.#ends.delete(id);
    super.clearTimeout(id);
  }

  get next(): number {
    return Math.min(...this.#ends.values()) - this.now();
  }
}

function withSources(
  machine: AnyStateMachine,
  sources: Readonly<Record<string, Source>>,
  gates: Map<string, Gate>,
): AnyStateMachine {
  const played = Object.entries(sources).map(([name, source]): [string, AnyActorLogic] => [
    name,
    fromPromise(async ({ input }: { input: unknown }) => {
      if (source === NEVER) return await new Promise(() => undefined);
      if (source !== GATED) return source(input as never);
      return await new Promise((resolve, reject) => gates.set(name, { resolve, reject }));
    }),
  ]);
  const own = machine.implementations.actors as Readonly<Record<string, AnyActorLogic>>;
  const below = Object.entries(own).map(([name, logic]): [string, AnyActorLogic] => [
    name,
    'implementations' in logic ? withSources(logic as AnyStateMachine, sources, gates) : logic,
  ]);
  return machine.provide({ actors: Object.fromEntries([...below, ...played]) } as never) as AnyStateMachine;
}
