import { testActor, type Script } from '../../../statechart/client/test-actor.ts';
import { activity, inProcess } from '../../../statechart/core/actor-spec.ts';
import { quiet } from './plain.ts';
import type { Row, Step } from './row.ts';
import { ROOT, viewOf, type View } from './view.ts';

/** A row in a test actor: what it shows at the beginning and after each step. */
export async function runPure(row: Row, options: { readonly isCarried: boolean }): Promise<readonly View[]> {
  const trace: string[] = [];
  const scripts = Object.entries(row.sources ?? {}).flatMap(([name, source]): [string, Script][] =>
    typeof source === 'string' ? [] : [[name, ({ input }) => source(input as never)]],
  );
  const waiting = Object.entries(row.sources ?? {}).filter(([, source]) => typeof source === 'string');
  const actor = testActor(
    row.machine((text) => trace.push(text)),
    {
      workflowId: ROOT,
      input: row.input as never,
      scripts: Object.fromEntries(scripts),
      actors: {
        '*': inProcess(),
        ...Object.fromEntries(
          waiting.map(([name]) => [name, activity(name, { startToCloseTimeout: '1 minute' })]),
        ),
      },
    },
  );
  const looks: View[] = [];
  const look = async (): Promise<void> => {
    await quiet();
    const { failure } = actor;
    const emitted = actor.emitted.map((event) => `emitted ${JSON.stringify(event)}`);
    const thrown = failure === undefined ? undefined : { error: failure.cause };
    looks.push(viewOf(actor.snapshot, thrown, [...trace, ...emitted]));
  };
  await look();
  for (const step of row.steps ?? []) {
    if (options.isCarried && actor.status === 'active' && actor.canContinueAsNew) actor.continueAsNew();
    await play(step);
    await look();
  }
  return looks;

  async function play(step: Step): Promise<void> {
    if ('type' in step) {
      if (actor.failure === undefined) actor.send(step as never);
    } else if ('settle' in step) {
      const source = step.settle as string;
      if (!actor.running.some((start) => start.source.name === source)) return;
      if ('error' in step && step.error !== undefined) actor.reject(source, step.error);
      else actor.resolve(source, step['output']);
    } else {
      const end = actor.now + (step.wait as number);
      for (let next = soonest(); next <= end; next = soonest()) {
        actor.advance(next - actor.now);
        await quiet();
      }
      actor.advance(end - actor.now);
    }
  }

  function soonest(): number {
    return Math.min(...actor.delays.map(({ at }) => at));
  }
}
