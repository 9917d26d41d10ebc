import type { AnyStateMachine } from 'xstate';

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

/**
 * A machine as a Mermaid state diagram, made from its definition. An edge is labelled with its event and, in brackets, its
 * description or its guard's name; transitions without a target are left out.
 */
export function stateDiagram(machine: AnyStateMachine): string {
  const root = machine.definition as unknown as NodeDefinition;
  return ['stateDiagram-v2', ...nodes(root, '  '), ...edges(machine, root)].join('\n');
}

function nodes(node: NodeDefinition, indent: string): string[] {
  const start = node.initial?.target[0];
  const lines = start ? [`${indent}[*] --> ${name(start.id)}`] : [];
  for (const child of Object.values(node.states)) {
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
    .replace(/^xstate\.after\.([^.]*)\..*$/, 'after $1')
    .replace(/^$/, 'always');
  const condition = description ?? (typeof guard === 'string' ? guard : undefined);
  return condition === undefined ? event : `${event} [${condition}]`;
}

const name = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, '_');
