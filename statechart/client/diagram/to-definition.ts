import type { AnyStateMachine } from 'xstate';
import { definitionJson, type NodeJson } from '../../core/definition-json.ts';
import { activeNodes } from '../../core/machine-description.ts';
import { valueOf, type StateSource } from './to-mermaid.ts';

/**
 * A machine's definition as JSON, as XState serialises it and with what gets lost there: `always`, a history's target, and names of
 * guards and actions that are functions. With a state each node says whether it is active.
 */
export function toDefinition(machine: AnyStateMachine, state?: StateSource): NodeJson {
  const definition = definitionJson(machine);
  if (state === undefined) return definition;
  const active = new Set(activeNodes(machine.root as never, valueOf(state)));
  const marked = (node: NodeJson): NodeJson => ({
    ...node,
    active: active.has(node.id),
    states: Object.fromEntries(Object.entries(node.states).map(([key, child]) => [key, marked(child)])),
  });
  return marked(definition);
}
