import type { AnyStateMachine, StateNode } from 'xstate';
import { childMachine, type ActorSpecs } from '../../core/actor-spec.ts';
import type { RecordedCommand } from './command-index.ts';

/** How machines run that the history shows as children, for a machine that comes without its actor specs. */
export function inferredActors(machine: AnyStateMachine, commands: readonly RecordedCommand[]): ActorSpecs {
  const children = commands.filter(({ kind, step }) => kind === 'child' && step !== undefined);
  if (children.length === 0) return {};
  const sources = new Map(invokesOf(machine.root as unknown as StateNode));
  return Object.fromEntries(
    children.flatMap(({ id, name }) => {
      const src = sources.get(id.split('/').at(-2) ?? '');
      return src === undefined ? [] : [[src, childMachine(name)] as const];
    }),
  );
}

function* invokesOf(node: StateNode): Generator<readonly [string, string]> {
  for (const { id, src } of node.invoke) if (typeof src === 'string') yield [id, src];
  for (const child of Object.values(node.states)) yield* invokesOf(child as unknown as StateNode);
}
