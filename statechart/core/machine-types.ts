import type {
  AnyEventObject,
  AnyStateMachine,
  EmittedFrom,
  EventFrom,
  StateMachine,
  StateSchema,
  StateSchemaFrom,
  TagsFrom,
} from 'xstate';
import type { ActorSpec } from './actor-spec.ts';

/** The paths of a machine's states, `request` and `request.waiting`; any text where the machine's type does not tell. */
export type StatePath<TMachine extends AnyStateMachine> = PathsOf<StateSchemaFrom<TMachine>>;

type PathsOf<TSchema> = 0 extends 1 & TSchema
  ? string
  : TSchema extends { readonly states: infer TStates }
    ? string extends keyof TStates
      ? string
      : { [K in keyof TStates & string]: K | `${K}.${PathsOf<TStates[K]>}` }[keyof TStates & string]
    : StateSchema extends TSchema
      ? string extends keyof TSchema
        ? string
        : never
      : never;

/** The tags of a machine, as `setup({ types: { tags } })` names them; any text without that. */
export type TagOf<TMachine extends AnyStateMachine> = TagsFrom<TMachine> & string;

/** The types of the events that a machine takes. */
export type EventTypeOf<TMachine extends AnyStateMachine> = EventFrom<TMachine>['type'];

/** What a machine emits. */
export type EmittedOf<TMachine extends AnyStateMachine> = [EmittedFrom<TMachine>] extends [never]
  ? AnyEventObject
  : EmittedFrom<TMachine>;

/** The sources of a machine with their logics, as `setup({ actors })` names them. */
type ProvidedBy<TMachine> =
  TMachine extends StateMachine<
    infer _TContext,
    infer _TEvent,
    infer _TChildren,
    infer TActor,
    infer _TAction,
    infer _TGuard,
    infer _TDelay,
    infer _TStateValue,
    infer _TTag,
    infer _TInput,
    infer _TOutput,
    infer _TEmitted,
    infer _TMeta,
    infer _TStateSchema,
    infer _TTransitionMeta
  >
    ? TActor
    : never;

/** The names of a machine's sources; any text where the machine's type does not tell. */
export type SourceName<TMachine extends AnyStateMachine> = 0 extends 1 & ProvidedBy<TMachine>
  ? string
  : ProvidedBy<TMachine>['src'];

type LogicOf<TMachine extends AnyStateMachine, TName> = Extract<
  ProvidedBy<TMachine>,
  { readonly src: TName }
>['logic'];

type InProcessOf<TMachine extends AnyStateMachine> = {
  readonly kind: 'in-process';
  readonly actors: MachineActorSpecs<TMachine>;
};

type SpecOf<TLogic> = [TLogic] extends [AnyStateMachine]
  ? Exclude<ActorSpec, { readonly kind: 'in-process' }> | InProcessOf<TLogic>
  : ActorSpec;

/**
 * Specs by the names of a machine's own sources; `*` stands for every source that has no spec of its own. Sources of a machine
 * within it are named by `inProcess({ ... })`.
 */
export type MachineActorSpecs<TMachine extends AnyStateMachine> =
  string extends SourceName<TMachine>
    ? Readonly<Record<string, ActorSpec>>
    : { readonly [K in SourceName<TMachine>]?: SpecOf<LogicOf<TMachine, K>> } & { readonly '*'?: ActorSpec };
