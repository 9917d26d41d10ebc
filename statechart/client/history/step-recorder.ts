import type { AnyActorRef, InspectionEvent } from 'xstate';
import { guardName } from '../../core/guard-name.ts';
import type { TakenTransition } from './explanation.ts';

interface InspectedTransition {
  readonly source: { readonly id: string };
  readonly target: readonly { readonly id: string }[] | undefined;
  readonly guard?: unknown;
  readonly eventType: string;
}

/** An event that one actor has sent another. */
export interface Send {
  readonly to: string;
  readonly type: string;
}

/** What XState's inspection tells of a macrostep, gathered until it is taken. */
export class StepRecorder {
  #transitions: TakenTransition[] = [];
  #actions: string[] = [];
  #actors: string[] = [];
  #sends: Send[] = [];
  #hasNews = false;
  readonly #rootId: string;

  /** @param rootId The id of the machine's actor. */
  constructor(rootId: string) {
    this.#rootId = rootId;
  }

  note(event: InspectionEvent): void {
    switch (event.type) {
      case '@xstate.microstep': {
        this.#hasNews = true;
        const actor = this.#pathOf(event.actorRef as AnyActorRef);
        for (const transition of event._transitions as unknown as readonly InspectedTransition[]) {
          this.#transitions.push(takenTransition(transition, actor));
        }
        break;
      }
      case '@xstate.action':
        this.#actions.push(actionName(event.action.type));
        break;
      case '@xstate.actor':
        this.#actors.push((event.actorRef as AnyActorRef).id);
        break;
      case '@xstate.event':
        this.#sends.push({ to: (event.actorRef as AnyActorRef).id, type: event.event.type });
        break;
      case '@xstate.snapshot':
      case '@xstate.transition':
        break;
    }
  }

  /** Whether some machine has taken a step since the last {@link take}. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  take(): {
    readonly transitions: readonly TakenTransition[];
    readonly guards: readonly string[];
    readonly actions: readonly string[];
    /** Ids of the actors that came to be. */
    readonly actors: readonly string[];
    readonly sends: readonly Send[];
  } {
    const transitions = this.#transitions;
    const taken = {
      transitions,
      guards: transitions.flatMap(({ guard }) => (guard === undefined ? [] : [guard])),
      actions: this.#actions,
      actors: this.#actors,
      sends: this.#sends,
    };
    this.#transitions = [];
    this.#actions = [];
    this.#actors = [];
    this.#sends = [];
    this.#hasNews = false;
    return taken;
  }

  /** The ids of the actors from below the root down to this one; the root's own parent is in another workflow. */
  #pathOf(actor: AnyActorRef): string {
    const ids: string[] = [];
    let at: AnyActorRef | undefined = actor;
    while (at !== undefined && at.id !== this.#rootId) {
      ids.unshift(at.id);
      at = at._parent;
    }
    return ids.join('/');
  }
}

/** XState calls a function by the name that it has; that of the property it was written for says nothing. */
const actionName = (type: string): string =>
  ['actions', 'entry', 'exit', '(anonymous)', ''].includes(type) ? '(inline)' : type;

function takenTransition(
  { source, target, guard, eventType }: InspectedTransition,
  actor: string,
): TakenTransition {
  return {
    actor,
    source: source.id,
    targets: (target ?? []).map(({ id }) => id),
    event: eventType,
    ...(guard === undefined ? {} : { guard: guardName(guard) }),
  };
}
