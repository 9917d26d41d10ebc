import type { AnyStateMachine, ContextFrom, OutputFrom, StateValueFrom } from 'xstate';
import { decodeData, type ReferenceCodec } from '../core/data.ts';
import type { EmittedOf, EventTypeOf, StatePath, TagOf } from '../core/machine-types.ts';
import type { Change, MachineSnapshotView, MachineState } from '../core/messages.ts';
import { matchesPath } from '../core/state-path.ts';

/** The state of an actor after an event. */
export interface ActorState<TMachine extends AnyStateMachine> {
  readonly value: StateValueFrom<TMachine>;
  /** The value as one line, `request.waiting`; parallel regions are joined with a comma, `a.b, c.d`. */
  readonly state: string;
  readonly status: MachineState['status'];
  readonly tags: readonly TagOf<TMachine>[];
  /** Whether the actor is in a state, or in one below it. */
  matches(state: StatePath<TMachine>): boolean;
  hasTag(tag: TagOf<TMachine>): boolean;
}

/** An actor's state with its context and what may be sent now. */
export interface ActorSnapshot<TMachine extends AnyStateMachine>
  extends
    ActorState<TMachine>,
    Pick<MachineSnapshotView, 'error' | 'actors' | 'delays' | 'refused' | 'machine'> {
  readonly context: ContextFrom<TMachine>;
  /** Absent while the machine has not ended, and of one without output. */
  readonly output?: OutputFrom<TMachine>;
  /** Event types that have a transition now; guards are not evaluated. */
  readonly events: readonly EventTypeOf<TMachine>[];
}

/** What a subscriber sees. `seq` is the cursor to go on from, `at` milliseconds since 1970. */
export type ActorChange<TMachine extends AnyStateMachine> =
  | ({ readonly type: 'state'; readonly seq: number; readonly at: number } & ActorState<TMachine>)
  | {
      readonly type: 'emitted';
      readonly seq: number;
      readonly at: number;
      readonly event: EmittedOf<TMachine>;
    }
  /** Changes before this one are no longer kept. */
  | { readonly type: 'lost'; readonly seq: number };

export function actorState<TMachine extends AnyStateMachine>({
  value,
  state,
  status,
  tags,
}: MachineState): ActorState<TMachine> {
  return {
    value: value as StateValueFrom<TMachine>,
    state,
    status,
    tags: tags as readonly TagOf<TMachine>[],
    matches: (wanted) => matchesPath(state, wanted),
    hasTag: (tag) => tags.includes(tag),
  };
}

export function actorSnapshot<TMachine extends AnyStateMachine>(
  view: MachineSnapshotView,
  codec: ReferenceCodec,
): ActorSnapshot<TMachine> {
  const { context, output, error, events, actors, delays, refused, machine } = view;
  return {
    ...actorState<TMachine>(view),
    context: decodeData(context, codec) as ContextFrom<TMachine>,
    events: events as readonly EventTypeOf<TMachine>[],
    actors,
    delays,
    machine,
    ...(output === undefined ? {} : { output: decodeData(output, codec) as OutputFrom<TMachine> }),
    ...(error === undefined ? {} : { error }),
    ...(refused === undefined ? {} : { refused }),
  };
}

export function actorChange<TMachine extends AnyStateMachine>(
  change: Change,
  codec: ReferenceCodec,
): ActorChange<TMachine> {
  const { type, seq, at } = change;
  return type === 'state'
    ? { type, seq, at, ...actorState<TMachine>(change) }
    : { type, seq, at, event: decodeData(change.event, codec) as EmittedOf<TMachine> };
}
