import { eventLabel, type EventKind } from './event-label.ts';

/** A machine as it is drawn: its definition's states in the order of the definition, and its transitions. */
export interface Chart {
  readonly root: string;
  readonly states: ReadonlyMap<string, ChartState>;
  readonly transitions: readonly ChartTransition[];
}

type StateKind = 'atomic' | 'compound' | 'parallel' | 'final' | 'history';

export interface ChartState {
  readonly id: string;
  readonly key: string;
  readonly kind: StateKind;
  readonly parent: string | null;
  readonly depth: number;
  readonly children: readonly string[];
  /** Where it begins; empty for one that has no states below it, and for a parallel one. */
  readonly initial: readonly string[];
  /** Of a history state: whether it remembers all levels. */
  readonly isDeep: boolean;
  readonly description: string | null;
  readonly invokes: readonly { readonly id: string; readonly src: string }[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
}

export interface ChartTransition {
  readonly id: string;
  readonly source: string;
  /** Empty for one that leaves the state as it is. */
  readonly targets: readonly string[];
  /** The event's type as the machine knows it; empty for `always`. */
  readonly event: string;
  readonly label: string;
  readonly kind: EventKind;
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly description: string | null;
  /** It leads to its own source, or nowhere, and is written inside the state. */
  readonly isInner: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads a machine's definition as `GET …/explanation` gives it. */
export function chartOf(definition: Json): Chart {
  const states = new Map<string, ChartState>();
  const transitions: ChartTransition[] = [];
  const visit = (node: Json, parent: string | null, depth: number): void => {
    const state = stateOf(node, parent, depth);
    states.set(state.id, state);
    const taken = [...listOf(node['transitions']), ...listOf(node['always'])];
    const own = taken.map((each, index) => transitionOf(each, state, index));
    if (state.kind === 'history') own.push(...defaultOf(node, state));
    transitions.push(...own);
    for (const child of childrenOf(node)) visit(child, state.id, depth + 1);
  };
  visit(definition, null, 0);
  return { root: textOf(definition['id']), states, transitions };
}

function stateOf(node: Json, parent: string | null, depth: number): ChartState {
  const hasDelays = listOf(node['transitions']).some(({ eventType }) =>
    textOf(eventType).startsWith('xstate.after.'),
  );
  const actions = (given: unknown): string[] =>
    listOf(given)
      .map(({ type }) => textOf(type))
      // These are how XState begins and ends a delay, which is drawn as a transition.
      .filter((type) => !(hasDelays && (type === 'xstate.raise' || type === 'xstate.cancel')))
      .map(actionLabel);
  return {
    id: textOf(node['id']),
    key: textOf(node['key']),
    kind: textOf(node['type']) as StateKind,
    parent,
    depth,
    children: childrenOf(node).map(({ id }) => textOf(id)),
    initial: node['type'] === 'compound' ? idsOf(objectOf(node['initial'])['target']) : [],
    isDeep: node['history'] === 'deep',
    description: typeof node['description'] === 'string' ? node['description'] : null,
    invokes: listOf(node['invoke']).map(({ id, src }) => ({
      id: textOf(id),
      src: textOf(src) || '(inline)',
    })),
    entry: actions(node['entry']),
    exit: actions(node['exit']),
  };
}

function transitionOf(json: Json, source: ChartState, index: number): ChartTransition {
  const targets = idsOf(json['target']);
  const event = textOf(json['eventType']);
  return {
    id: `${source.id}→${index}`,
    source: source.id,
    targets,
    event,
    ...eventLabel(event, source),
    guard: typeof json['guard'] === 'string' ? json['guard'] : null,
    actions: listOf(json['actions']).map(({ type }) => actionLabel(textOf(type))),
    description: typeof json['description'] === 'string' ? json['description'] : null,
    isInner: targets.every((target) => target === source.id),
  };
}

/** Where a history leads that has nothing to remember yet. */
function defaultOf(node: Json, source: ChartState): ChartTransition[] {
  const targets = idsOf(node['target']);
  if (targets.length === 0) return [];
  return [
    {
      id: `${source.id}→default`,
      source: source.id,
      targets,
      event: '',
      label: 'at first',
      kind: 'always',
      guard: null,
      actions: [],
      description: null,
      isInner: false,
    },
  ];
}

const actionLabel = (type: string): string => type.replace(/^xstate\./, '');

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const childrenOf = (node: Json): readonly Json[] => Object.values(objectOf(node['states'])).map(objectOf);
const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((id) => textOf(id).replace(/^#/, '')) : [];
