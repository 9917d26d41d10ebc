import { fromPromise, type PromiseActorLogic } from 'xstate';

/**
 * A source for `setup({ actors })` that carries only the types: `machineWorkflow` runs the actor spec of its name. Outside a
 * workflow, provide a real one with `machine.provide({ actors })`.
 */
export function durable<TOutput, TInput>(): PromiseActorLogic<TOutput, TInput> {
  return fromPromise<TOutput, TInput>(() =>
    Promise.reject(new Error('this source runs through machineWorkflow')),
  );
}
