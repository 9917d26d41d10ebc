import type {
  Client,
  WorkflowHandle,
  WorkflowSignalWithStartOptions,
  WorkflowStartOptions,
} from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import type { AnyEventObject, AnyStateMachine, EventFrom, InputFrom } from 'xstate';
import type { Address } from '../core/address.ts';
import { encodeData } from '../core/data.ts';
import { MESSAGES } from '../core/messages.ts';
import { ActorHandle, type HandleContext } from './actor-handle.ts';
import { findActors, type FindOptions, type FoundActor } from './find-actors.ts';
import { References } from './references.ts';
import { Requests } from './requests.ts';
import { ACTOR_ATTRIBUTES, keywordOf, type ActorAttributes } from './search-attributes.ts';
import { UpdateSlots } from './update-slots.ts';

export interface ActorClientOptions {
  /** The name under which the worker's workflows export the machine's workflow. */
  readonly workflowType: string;
  readonly taskQueue: string;
  /**
   * The search attributes by which actors are found: `true` for {@link ACTOR_ATTRIBUTES}, or other names. They must be
   * registered, see `ensureSearchAttributes`. Default: none are written.
   */
  readonly attributes?: true | ActorAttributes;
  /** Gets what `ref.send()` of a reference could not deliver. Default: it is lost, as with a stopped actor of XState. */
  readonly undelivered?: (error: unknown, workflowId: string, event: AnyEventObject) => void;
}

/** Temporal's options of a start without those that the client gives itself. */
type StartSettings = Omit<
  WorkflowStartOptions,
  'args' | 'taskQueue' | 'workflowId' | 'searchAttributes' | 'typedSearchAttributes' | 'followRuns'
>;

interface CommonStartOptions extends StartSettings {
  readonly workflowId: string;
  /** Default: that of the client. */
  readonly taskQueue?: string;
  /** What the actor is about in the words of its business, for `find`: an order's number, a customer. */
  readonly key?: string;
  /** Search attributes of your own. */
  readonly searchAttributes?: readonly SearchAttributePair[];
  readonly input?: unknown;
}

/** How an actor is started. `input` may be left out where the machine takes none. */
export type ActorStartOptions<TMachine extends AnyStateMachine> = Omit<CommonStartOptions, 'input'> &
  (undefined extends InputFrom<TMachine>
    ? { readonly input?: InputFrom<TMachine> }
    : { readonly input: InputFrom<TMachine> });

/** The durable actors of one machine, for a client. */
export class ActorClient<TMachine extends AnyStateMachine> {
  readonly #machine: TMachine;
  readonly #client: Client;
  readonly #options: ActorClientOptions;
  readonly #context: HandleContext;

  constructor(machine: TMachine, client: Client, options: ActorClientOptions) {
    this.#machine = machine;
    this.#client = client;
    this.#options = options;
    const references = new References((address, event) => this.#deliver(address, event));
    this.#context = { client, references, slots: new UpdateSlots(), requests: new Requests() };
  }

  /**
   * Starts an actor.
   *
   * @throws WorkflowExecutionAlreadyStartedError of Temporal's where the id is taken, as `workflowIdReusePolicy` and
   * `workflowIdConflictPolicy` say; DataError for an input that cannot be kept.
   */
  async start(options: ActorStartOptions<TMachine>): Promise<ActorHandle<TMachine>> {
    return this.#handle(
      await this.#client.workflow.start(this.#options.workflowType, this.#startOptions(options)),
    );
  }

  /** Sends an event to an actor, and starts the actor where there is none. */
  async signalWithStart(
    options: ActorStartOptions<TMachine> & { readonly event: EventFrom<TMachine> },
  ): Promise<ActorHandle<TMachine>> {
    const { event, ...start } = options;
    const encoded = encodeData(event, 'event', this.#context.references.codec);
    const withSignal: WorkflowSignalWithStartOptions<[unknown]> = {
      ...this.#startOptions(start as unknown as ActorStartOptions<TMachine>),
      signal: MESSAGES.send,
      signalArgs: [encoded],
    };
    return this.#handle(await this.#client.workflow.signalWithStart(this.#options.workflowType, withSignal));
  }

  /**
   * The actor of an id; whether there is one shows with the first question.
   *
   * @param runId One of its runs. Default: the newest.
   */
  get(workflowId: string, runId?: string): ActorHandle<TMachine> {
    return this.#handle(this.#client.workflow.getHandle(workflowId, runId));
  }

  /** The machine's actors by state, tag and key, the newest first. It needs `attributes`. */
  find(
    options: Omit<FindOptions<TMachine>, 'machine' | 'attributes'> = {},
  ): AsyncGenerator<FoundActor, void> {
    return findActors(this.#client, {
      ...options,
      machine: this.#machine,
      attributes: this.#attributes ?? ACTOR_ATTRIBUTES,
    });
  }

  /**
   * Resolves once all requests have ended, also those that were given up by a timeout or a signal. Wait for it before you close
   * the connection: Temporal's client tries a refused request again even when it was given up, and that ends the process where
   * the connection is closed.
   */
  async settled(): Promise<void> {
    await this.#context.requests.settled();
  }

  get #attributes(): ActorAttributes | undefined {
    const { attributes } = this.#options;
    return attributes === true ? ACTOR_ATTRIBUTES : attributes;
  }

  #handle(workflow: WorkflowHandle): ActorHandle<TMachine> {
    return new ActorHandle<TMachine>(workflow, this.#context);
  }

  #startOptions(options: ActorStartOptions<TMachine>): WorkflowStartOptions {
    const { input, key, searchAttributes = [], ...settings } = options as CommonStartOptions;
    const names = this.#attributes;
    const own: SearchAttributePair[] = [];
    if (names !== undefined) own.push(keyword(names.machine, this.#machine.id));
    if (names !== undefined && key !== undefined) own.push(keyword(names.key, key));
    const start = {
      ...(input === undefined ? {} : { input: encodeData(input, 'input', this.#context.references.codec) }),
      ...(names === undefined ? {} : { attributes: { states: names.states, tags: names.tags } }),
    };
    const pairs = [...own, ...searchAttributes];
    return {
      taskQueue: this.#options.taskQueue,
      ...settings,
      args: [start],
      ...(pairs.length === 0 ? {} : { typedSearchAttributes: pairs }),
    };
  }

  #deliver({ workflowId, path }: Address, event: AnyEventObject): void {
    const encoded = encodeData(event, 'event', this.#context.references.codec);
    const handle = this.#client.workflow.getHandle(workflowId);
    const sent =
      path.length === 0
        ? handle.signal(MESSAGES.send, encoded)
        : handle.signal(MESSAGES.actor, { type: 'event', path, event: encoded });
    sent.catch((error: unknown) => this.#options.undelivered?.(error, workflowId, event));
  }
}

/**
 * A typed client of the durable actors of a machine.
 *
 * @param client Of `@temporalio/client`.
 *
 * @example
 * const orders = actorClient(orderMachine, client, { workflowType: 'order', taskQueue: 'orders' });
 * const order = await orders.start({ workflowId: 'order-7', input: { id: '7' } });
 * await order.sendAndWait({ type: 'pay', amount: 5n });
 * await order.waitFor('shipped', { timeout: 60_000 });
 */
export function actorClient<TMachine extends AnyStateMachine>(
  machine: TMachine,
  client: Client,
  options: ActorClientOptions,
): ActorClient<TMachine> {
  return new ActorClient(machine, client, options);
}

const keyword = (name: string, value: string): SearchAttributePair => ({
  key: defineSearchAttributeKey(name, 'KEYWORD'),
  value: keywordOf(value),
});
