import type { AnyStateMachine } from 'xstate';
import type { ActorSpecs } from '../../core/actor-spec.ts';
import type { ScenarioPoint, ScenarioTarget } from './scenario.ts';
import { ScenarioPlay } from './scenario-play.ts';

/**
 * Runs scenarios on test actors: pure, at once, on a clock of their own.
 *
 * @param options.actors How sources run, as in `machineWorkflow`, where that matters.
 */
export function testTarget<TMachine extends AnyStateMachine>(
  machine: TMachine,
  options: { readonly actors?: ActorSpecs } = {},
): ScenarioTarget<TMachine> {
  return {
    run: (scenario) => {
      const play = new ScenarioPlay(machine, scenario, options);
      const points: ScenarioPoint[] = [play.start()];
      for (const index of scenario.steps.keys()) points.push(play.step(index));
      return Promise.resolve(points);
    },
  };
}
