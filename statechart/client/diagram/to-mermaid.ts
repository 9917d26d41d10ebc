import type { AnyMachineSnapshot, AnyStateMachine, StateValue } from 'xstate';
import { activeNodes } from '../../core/machine-description.ts';
import { guardName } from '../../core/guard-name.ts';

interface NodeDefinition {
  readonly key: string;
  readonly id: string;
  readonly type: string;
  readonly initial?: { readonly target: readonly { readonly id: string }[] };
  readonly states: Readonly<Record<string, NodeDefinition>>;
  readonly transitions: readonly TransitionDefinition[];
}

interface TransitionDefinition {
  readonly eventType: string;
  readonly target?: readonly { readonly id: string }[];
  readonly guard?: unknown;
  readonly description?: string;
}

/** A state of a machine: a snapshot of XState's, what the query `snapshot` answers, or the value alone. */
export type StateSource = AnyMachineSnapshot | { readonly value: StateValue } | StateValue;

/**
 * A machine as a Mermaid state diagram. An edge is labelled with its event and, in brackets, its description or its guard's name;
 * transitions without a target are left out. With a state, its active nodes have the class `active`.
 */
export function toMermaid(machine: AnyStateMachine, state?: StateSource): string {
  const root = machine.definition as unknown as NodeDefinition;
  const active =
    state === undefined
      ? []
      : activeNodes(machine.root as never, valueOf(state)).filter((id) => id !== root.id);
  return [
    'stateDiagram-v2',
    ...nodes(root, '  '),
    ...edges(machine, root),
    ...(active.length === 0
      ? []
      : ['  classDef active fill:#2563eb,color:#fff', `  class ${active.map(name).join(', ')} active`]),
  ].join('\n');
}

/** The state value of a {@link StateSource}. */
export function valueOf(state: StateSource): StateValue {
  const isSnapshot =
    typeof state === 'object' && 'value' in state && ('context' in state || 'state' in state);
  return isSnapshot ? (state.value as StateValue) : isValueOnly(state) ? state.value : (state as StateValue);
}

/** An object of nothing but a value; a machine whose one region is called `value` gives its snapshot. */
const isValueOnly = (state: StateSource): state is { readonly value: StateValue } =>
  typeof state === 'object' && 'value' in state && Object.keys(state).length === 1;

function nodes(node: NodeDefinition, indent: string): string[] {
  const start = node.initial?.target[0];
  const lines = start ? [`${indent}[*] --> ${name(start.id)}`] : [];
  const children = Object.values(node.states);
  for (const [index, child] of children.entries()) {
    const isRegion = node.type === 'parallel';
    if (isRegion && index > 0) lines.push(`${indent}--`);
    const state = `${indent}state "${child.key}" as ${name(child.id)}`;
    if (Object.keys(child.states).length === 0) lines.push(state);
    else lines.push(`${state} {`, ...nodes(child, `${indent}  `), `${indent}}`);
  }
  return lines;
}

/** All edges stand outside the nested states, because an edge inside one would draw its target there too. */
function edges(machine: AnyStateMachine, node: NodeDefinition): string[] {
  const always = (machine.getStateNodeById(node.id).always ??
    []) as unknown as readonly TransitionDefinition[];
  const own = [...node.transitions, ...always].flatMap((edge) =>
    (edge.target ?? []).map((target) => `  ${name(node.id)} --> ${name(target.id)}: ${label(edge)}`),
  );
  if (node.type === 'final') own.push(`  ${name(node.id)} --> [*]`);
  return [...new Set(own), ...Object.values(node.states).flatMap((child) => edges(machine, child))];
}

function label({ eventType, guard, description }: TransitionDefinition): string {
  const event = eventType
    .replace(/^xstate\.done\.actor\.(.*)$/, '$1 done')
    .replace(/^xstate\.error\.actor\.(.*)$/, '$1 failed')
    .replace(/^xstate\.done\.state\.(.*)$/, '$1 done')
    .replace(/^xstate\.after\.([^.]*)\..*$/, 'after $1')
    .replace(/^$/, 'always');
  const guarded = guard === undefined ? undefined : guardName(guard);
  const condition = description ?? (guarded === '(inline)' ? undefined : guarded);
  const text = condition === undefined ? event : `${event} [${condition}]`;
  // These would end the label.
  return text.replaceAll(/[:;]/g, (sign) => (sign === ':' ? '#colon;' : '#semi;'));
}

const name = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, '_');
