import { createHash } from 'node:crypto';
import type { RequestModelInput, RequestModelOutcome, SessionActivities } from '@steadyhand/contracts';
import { collectMessage, keepScreenshots } from '@steadyhand/messages';
import {
  append,
  base64Loader,
  conversationOf,
  loadMessages,
  modelRequestStart,
  reachedLimit,
  recordedStep,
  requireIntact,
  type SessionData,
  statusRunning,
  totalTokens,
} from '@steadyhand/sessions';
import type { Json } from '@steadyhand/store';
import { alone } from './alone.ts';
import type { ActivityDeps } from './deps.ts';
import { final } from './failures.ts';
import { withHeartbeats } from './heartbeats.ts';
import { withPreview } from './live-reply.ts';
import { failedRequest, refused, type FailedStep, type RefusedStep } from './model-fault.ts';
import { type KeptReply, readReply, ReplyNotUnderstoodError } from './model-reply.ts';
import { modelRequest } from './model-request.ts';
import { readSession } from './session-data.ts';
import { secretsOf, withoutValues } from './session-secrets.ts';
import { SingleFlight } from './single-flight.ts';
import { stepKey } from './step-key.ts';
import { UnrecordedReplies } from './unrecorded-replies.ts';

/** The fewest screenshots that a request carries where the agent does not say; it carries less than twice as many. */
const KEPT_SCREENSHOTS = 10;
/** Replies in a row that a provider may break off with `pause_turn`. */
const MAX_PAUSES = 32;

/**
 * Asks the model for the next reply and appends it. A reply is paid for, so it is asked for once: whatever may fail comes
 * before the request, the reply is recorded as it came before anything is made of it, and the step's outcome is recorded with
 * its events. Only a request whose reply was lost on the way is sent again, although it may have been billed.
 */
export function requestModel(deps: ActivityDeps): SessionActivities['requestModel'] {
  const flights = new SingleFlight<RequestModelOutcome>();
  const unrecorded = new UnrecordedReplies();
  return async (input, invocation) =>
    await withHeartbeats((signal) => {
      const key = stepKey(input, invocation);
      const name = `${input.session}/${key}`;
      return flights.run(name, signal, (aborted) =>
        alone(deps.store.leases, `model/${name}`, aborted, () =>
          new ModelStep(deps, input, key, unrecorded).run(aborted),
        ),
      );
    });
}

/** One model request of a session, from the request to the events of its reply. */
class ModelStep {
  readonly #deps: ActivityDeps;
  readonly #input: RequestModelInput;
  readonly #key: string;
  readonly #unrecorded: UnrecordedReplies;

  constructor(deps: ActivityDeps, input: RequestModelInput, key: string, unrecorded: UnrecordedReplies) {
    this.#deps = deps;
    this.#input = input;
    this.#key = key;
    this.#unrecorded = unrecorded;
  }

  async run(signal: AbortSignal): Promise<RequestModelOutcome> {
    const { store } = this.#deps;
    const { session } = this.#input;
    await requireIntact(store, session);
    const recorded = await recordedStep(store, session, `${this.#key}/reply`);
    if (recorded !== undefined) return outcomeOf(recorded.outcome);
    const data = await readSession(store, session);
    const kept = (await this.#keptReply()) ?? (await this.#ask(data, signal));
    if (!('reply' in kept)) return kept;
    return await this.#read(data, kept);
  }

  /** The reply that an earlier attempt was given. */
  async #keptReply(): Promise<KeptReply | undefined> {
    const { store } = this.#deps;
    const { session } = this.#input;
    const effect = await store.effects.get(session, `${this.#key}/model`);
    if (effect?.state === 'done') return effect.outcome as unknown as KeptReply;
    const held = this.#unrecorded.get(`${session}/${this.#key}`);
    if (held !== undefined) await this.#record(held);
    return held;
  }

  /** Asks the model and records its reply; answers with the step's outcome where no reply came. */
  async #ask(data: SessionData, signal: AbortSignal): Promise<KeptReply | RequestModelOutcome> {
    const { store, providers } = this.#deps;
    const { session, turns, pauses } = this.#input;
    if (reachedLimit(data.limits, { turns, tokens: totalTokens(data.usage) })) return { type: 'limit' };
    const { messages: conversation, cursor: shown } = await conversationOf(store, session);
    if (conversation.at(-1)?.role !== 'user' && pauses === 0) return { type: 'end' };
    const secrets = await secretsOf(this.#deps, session, data);
    // This comes before the pictures are read, so that those which are not shown are not read.
    const { keep_screenshots: newest = KEPT_SCREENSHOTS } = data.agent.context_care ?? {};
    const seen = newest === null ? conversation : keepScreenshots(conversation, newest);
    const messages = await loadMessages(seen, base64Loader(store.blobs));
    const startId = await this.#start(data);
    if (pauses >= MAX_PAUSES) return this.#fail(refused(ENDLESS_PAUSE, startId));
    let kept: KeptReply;
    try {
      // A stream has no time limit for the whole of a long reply, and one that stalls is noticed early.
      const stream = providers
        .providerFor(data.agent.model.id)
        .stream(modelRequest(data, messages), { signal, id: replyId(session, this.#key) });
      const key = `${this.#key}/reply`;
      const given = await collectMessage(withPreview(stream, this.#deps, data, { session, key, startId }));
      // A secret's value is never written down, not even in the reply as it came.
      const reply = { ...given, content: withoutValues(given.content, secrets) };
      kept = { reply, shown, startId };
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#fail(failedRequest(error, this.#input, startId));
    }
    this.#unrecorded.hold(`${session}/${this.#key}`, kept);
    await this.#record(kept);
    return kept;
  }

  /** Appends the request's `span.model_request_start`; answers its id. */
  async #start(data: SessionData): Promise<string> {
    const { session, epoch } = this.#input;
    const key = `${this.#key}/start`;
    const entered = data.running_since === null ? [statusRunning()] : [];
    const events = [...entered, modelRequestStart()];
    const started = (await append(this.#deps.store, { session, epoch, key, events })).events;
    return started.find(({ type }) => type === 'span.model_request_start')?.id ?? '';
  }

  async #record(kept: KeptReply): Promise<void> {
    const { effects } = this.#deps.store;
    const { session } = this.#input;
    await effects.begin(session, `${this.#key}/model`);
    await effects.finish(session, `${this.#key}/model`, kept as unknown as Json);
    this.#unrecorded.drop(`${session}/${this.#key}`);
  }

  /** Appends the events of a reply with the step's outcome. */
  async #read(data: SessionData, kept: KeptReply): Promise<RequestModelOutcome> {
    const { store } = this.#deps;
    const { session, epoch } = this.#input;
    const key = `${this.#key}/reply`;
    try {
      const { events, outcome } = await readReply(this.#deps, session, key, data, kept);
      const { usage } = kept.reply;
      const step = await append(store, {
        session,
        epoch,
        key,
        events,
        usage,
        outcome: outcome as unknown as Json,
      });
      return outcomeOf(step.outcome);
    } catch (error) {
      if (!(error instanceof ReplyNotUnderstoodError)) throw error;
      const refusal = { type: 'api_error', message: error.message };
      return this.#fail(refused(refusal, kept.startId, kept.reply.usage));
    }
  }

  /** Records that the step has no reply, and what follows from it. */
  async #fail({ events, outcome, usage }: FailedStep): Promise<RequestModelOutcome> {
    const { session, epoch } = this.#input;
    const step = await append(this.#deps.store, {
      session,
      epoch,
      key: `${this.#key}/reply`,
      events,
      outcome: outcome as unknown as Json,
      ...(usage === undefined ? {} : { usage }),
    });
    return outcomeOf(step.outcome);
  }
}

/** The recorded outcome of a step. A refusal is thrown again, as it was the first time. */
function outcomeOf(recorded: Json): RequestModelOutcome {
  const outcome = recorded as unknown as RequestModelOutcome | RefusedStep;
  if (outcome.type !== 'refused') return outcome;
  throw final(outcome.error.type, new Error(outcome.error.message));
}

const ENDLESS_PAUSE = {
  type: 'api_error',
  message: `The provider broke its reply off ${MAX_PAUSES} times in a row without an end.`,
} as const;

const replyId = (session: string, step: string): string =>
  `msg_${createHash('sha256').update(`${session}/${step}`).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 24)}`;
