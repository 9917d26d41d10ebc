import type { AnyStateMachine, StateNode } from 'xstate';
import { activeNodes } from '../../core/machine-description.ts';
import type { Macrostep } from '../history/explanation.ts';
import { guardName } from '../../core/guard-name.ts';
import type { Coverage, Share } from './check-histories.ts';

interface Edge {
  readonly source: string;
  readonly targets: readonly string[];
  readonly event: string;
  readonly guard?: string;
}

/** Which states and transitions of a machine its histories have visited. */
export class Visits {
  readonly #machine: AnyStateMachine;
  readonly #states = new Set<string>();
  readonly #edges = new Set<string>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
  }

  note({ snapshot, transitions }: Macrostep): void {
    for (const id of activeNodes(this.#machine.root as never, snapshot.value)) this.#states.add(id);
    for (const transition of transitions) {
      if (transition.actor !== '') continue;
      this.#edges.add(edgeName(transition));
      // A state that the machine leaves within the macrostep is never the value of a snapshot.
      for (const id of [transition.source, ...transition.targets]) this.#states.add(id);
    }
  }

  coverage(): Coverage {
    const nodes = [...nodesOf(this.#machine.root as unknown as StateNode)];
    const states = nodes.filter(({ type, parent }) => type !== 'history' && parent !== undefined);
    const edges = nodes.flatMap(edgesOf).map(edgeName);
    return {
      machine: this.#machine.id,
      states: shareOf(
        states.map(({ id }) => id),
        this.#states,
      ),
      transitions: shareOf(edges, this.#edges),
    };
  }
}

function shareOf(names: readonly string[], visited: ReadonlySet<string>): Share {
  const all = [...new Set(names)];
  const unvisited = all.filter((name) => !visited.has(name));
  return { visited: all.length - unvisited.length, all: all.length, unvisited };
}

function* nodesOf(node: StateNode): Generator<StateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* nodesOf(child as unknown as StateNode);
}

function edgesOf(node: StateNode): readonly Edge[] {
  const transitions = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
  return (transitions as unknown as readonly TransitionJson[]).map(({ eventType, target, guard }) => ({
    source: node.id,
    targets: (target ?? []).map(({ id }) => id),
    event: eventType,
    ...(guard === undefined ? {} : { guard: guardName(guard) }),
  }));
}

interface TransitionJson {
  readonly eventType: string;
  readonly target?: readonly { readonly id: string }[];
  readonly guard?: unknown;
}

/** Such as `order.open --pay [isPayable]--> order.charging`. */
function edgeName({ source, targets, event, guard }: Edge): string {
  const label = `${event === '' ? 'always' : event}${guard === undefined ? '' : ` [${guard}]`}`;
  return `${source} --${label}-->${targets.length === 0 ? '' : ` ${targets.join(', ')}`}`;
}
