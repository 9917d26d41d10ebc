import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { AnyStateMachine } from 'xstate';
import type { StatePath, TagOf } from '../core/machine-types.ts';
import { HELD_STATE } from '../core/messages.ts';
import { ACTOR_ATTRIBUTES, keywordOf, textOf, type ActorAttributes } from './search-attributes.ts';

/** Which actors are sought. What is left out does not matter. */
export interface FindOptions<TMachine extends AnyStateMachine> {
  readonly machine?: TMachine;
  /** In this state, or in one below it. */
  readonly state?: StatePath<TMachine>;
  readonly tag?: TagOf<TMachine>;
  /** The business key that `start` was given. */
  readonly key?: string;
  /** Only those whose run waits because the worker does not know its machine. */
  readonly held?: true;
  /** Only those whose workflow is open, or closed. Default: both. */
  readonly status?: 'open' | 'closed';
  /** A further condition in Temporal's query language, such as `StartTime > '2026-01-01T00:00:00Z'`. */
  readonly query?: string;
  /** Default {@link ACTOR_ATTRIBUTES}. */
  readonly attributes?: ActorAttributes;
}

/** An actor as it was when the server last heard of it. */
export interface FoundActor {
  readonly workflowId: string;
  /** The newest run. */
  readonly runId: string;
  readonly workflowType: string;
  /** The id of its machine. */
  readonly machine: string | undefined;
  readonly key: string | undefined;
  /** Every active state with those around it. */
  readonly states: readonly string[];
  readonly tags: readonly string[];
  readonly isHeld: boolean;
  /** Temporal's word, such as `RUNNING` or `COMPLETED`. */
  readonly status: string;
  readonly startTime: Date;
  readonly closeTime: Date | undefined;
}

/**
 * Finds actors by their search attributes, as the server keeps them: a change shows there a moment later. Only the newest run of
 * each is found.
 *
 * @example
 * for await (const { workflowId } of findActors(client, { machine: orderMachine, state: 'shipping', key: '7' })) ...
 */
export async function* findActors<TMachine extends AnyStateMachine>(
  client: Client,
  options: FindOptions<TMachine>,
): AsyncGenerator<FoundActor, void, undefined> {
  const { attributes: names = ACTOR_ATTRIBUTES } = options;
  for await (const info of client.workflow.list({ query: queryOf(options, names) })) yield found(info, names);
}

function queryOf<TMachine extends AnyStateMachine>(
  { machine, state, tag, key, held, status, query }: FindOptions<TMachine>,
  names: ActorAttributes,
): string {
  const is = (name: string, value: string): string => `\`${name}\` = '${keywordOf(value)}'`;
  return [
    `ExecutionStatus != 'ContinuedAsNew'`,
    // Any actor has a machine; other workflows have none.
    machine === undefined ? `\`${names.machine}\` IS NOT NULL` : is(names.machine, machine.id),
    ...(state === undefined ? [] : [is(names.states, state)]),
    ...(tag === undefined ? [] : [is(names.tags, tag)]),
    ...(key === undefined ? [] : [is(names.key, key)]),
    ...(held === undefined ? [] : [is(names.states, HELD_STATE)]),
    ...(status === undefined ? [] : [`ExecutionStatus ${status === 'open' ? '=' : '!='} 'Running'`]),
    ...(query === undefined ? [] : [`(${query})`]),
  ].join(' AND ');
}

function found(info: WorkflowExecutionInfo, names: ActorAttributes): FoundActor {
  const { workflowId, runId, type, status, startTime, closeTime, typedSearchAttributes: attributes } = info;
  const word = (name: string): string | undefined =>
    attributes.get(defineSearchAttributeKey(name, 'KEYWORD'));
  const list = (name: string): string[] =>
    attributes.get(defineSearchAttributeKey(name, 'KEYWORD_LIST')) ?? [];
  const states = list(names.states);
  const [machine, key] = [word(names.machine), word(names.key)];
  const isHeld = states.includes(HELD_STATE);
  return {
    workflowId,
    runId,
    workflowType: type,
    machine: machine === undefined ? undefined : textOf(machine),
    key: key === undefined ? undefined : textOf(key),
    states: isHeld ? [] : states,
    tags: list(names.tags),
    isHeld,
    status: status.name,
    startTime,
    closeTime,
  };
}
