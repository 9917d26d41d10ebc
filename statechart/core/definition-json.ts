import type { AnyStateMachine, StateNode } from 'xstate';
import { guardName } from './guard-name.ts';

/** A state node of a machine's definition as JSON. */
export interface NodeJson {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly states: Readonly<Record<string, NodeJson>>;
  /** Whether the state is in this node; absent without a state. */
  readonly active?: boolean;
  readonly [field: string]: unknown;
}

interface Transition {
  readonly eventType: string;
  readonly target?: readonly { readonly id: string }[];
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
  readonly reenter: boolean;
  readonly description?: string;
}

/**
 * A machine's definition as XState serialises it, with what gets lost there: `always`, where a history leads by default, and the
 * names of guards and actions that are functions.
 */
export function definitionJson(machine: AnyStateMachine): NodeJson {
  const json = JSON.parse(JSON.stringify(machine.definition)) as NodeJson;
  return completed(machine.root as unknown as StateNode, json);
}

function completed(node: StateNode, json: NodeJson): NodeJson {
  const always = (node.always ?? []) as unknown as readonly Transition[];
  const target = historyTarget(node);
  return {
    ...json,
    transitions: ([...node.transitions.values()].flat() as unknown as Transition[]).map((each) =>
      transitionJson(node, each),
    ),
    ...(always.length === 0 ? {} : { always: always.map((each) => transitionJson(node, each)) }),
    ...(target === undefined ? {} : { target: [`#${target}`] }),
    states: Object.fromEntries(
      Object.entries(json.states).map(([key, child]) => {
        const below = (node.states as Readonly<Record<string, StateNode | undefined>>)[key];
        return [key, below === undefined ? child : completed(below, child)];
      }),
    ),
  };
}

function transitionJson(node: StateNode, given: Transition): object {
  const { eventType, target, guard, actions, reenter, description } = given;
  return {
    eventType,
    source: `#${node.id}`,
    ...(target === undefined ? {} : { target: target.map(({ id }) => `#${id}`) }),
    ...(guard === undefined ? {} : { guard: guardName(guard) }),
    actions: actions.map((action) => ({ type: actionName(action) })),
    reenter,
    ...(description === undefined ? {} : { description }),
  };
}

/** A function that XState has made, such as that of `assign`, says its kind; another one its own name. */
function actionName(action: unknown): string {
  if (typeof action === 'string') return action;
  if (typeof action !== 'object' && typeof action !== 'function') return '(inline)';
  const { type, name } = (action ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  if (typeof type === 'string') return type;
  return typeof name === 'string' && !['', 'actions'].includes(name) ? name : '(inline)';
}

/** The id of the state that a history leads to by default, where it says one. It is written relative to its parent. */
export function historyTarget(node: StateNode): string | undefined {
  const { target } = node.config as { readonly target?: unknown };
  if (node.type !== 'history' || typeof target !== 'string') return undefined;
  return target.startsWith('#') ? target.slice(1) : `${node.parent?.id ?? ''}.${target.replace(/^\./, '')}`;
}
