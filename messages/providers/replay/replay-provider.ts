import { ApiError } from '@steadyhand/contracts';
import type { ContentBlock } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { messageEvents } from '../../stream/message-events.ts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../provider.ts';
import { derivedId } from '../derived-id.ts';
import { comparable, type Comparing, type Match, placeOf } from './comparable.ts';
import { type Difference, differences } from './differences.ts';
import { plainRequest, type PlainRequest } from './plain-request.ts';
import {
  RecordedRequests,
  type RecordedTurn,
  type Recording,
  RecordingUnreadableError,
} from './recording.ts';

/** The error lists this many differences and counts the others. */
const TOLD = 8;
const DIFFERENCES_SOUGHT = 50;

/** The request differs from the recorded one. The status is 400, since asking again does not help. */
class ReplayMismatchError extends ApiError {
  override readonly name = 'ReplayMismatchError';
  constructor(message: string, differences: readonly Difference[] = []) {
    super('invalid_request_error', message, {
      details: { error_code: 'replay_mismatch', differences: differences.slice(0, TOLD) },
    });
  }
}

/** @param reply the number of the reply, from 1 */
function replayMismatch(
  name: string,
  reply: number,
  match: Match,
  differences: readonly Difference[],
): ReplayMismatchError {
  const lines = differences
    .slice(0, TOLD)
    .map(({ path, recorded, sent }) => `  ${path}: recorded ${recorded}, sent ${sent}`);
  const more = differences.length - TOLD;
  const rest = more <= 0 ? [] : [`  and ${differences.length === DIFFERENCES_SOUGHT ? 'many' : more} more`];
  const head = `this request differs from what the recording '${name}' has for reply ${reply} (match: ${match}):`;
  return new ReplayMismatchError([head, ...lines, ...rest].join('\n'), differences);
}

function recordingEnded(name: string, replies: number): ReplayMismatchError {
  return new ReplayMismatchError(
    `the recording '${name}' has ${replies} repl${replies === 1 ? 'y' : 'ies'} to a conversation, and this request asks ` +
      'for one more',
  );
}

export interface ReplayProviderOptions {
  /** The recording for a model's name. Rejects with an ApiError when there is none. */
  readonly recordingFor: (model: string, signal: AbortSignal) => Promise<Recording>;
  /** Default `text`. */
  readonly match?: Match;
  /** Matches of these in texts, such as times, are not compared. */
  readonly ignore?: readonly RegExp[];
}

/** A recording whose turns can be found by their place in the conversation. */
class IndexedRecording {
  readonly #requests: RecordedRequests;
  readonly #byPlace = new Map<number, RecordedTurn[]>();
  /** The number of replies in the longest conversation. */
  readonly length: number;

  constructor(recording: Recording) {
    this.#requests = new RecordedRequests(recording);
    for (const turn of recording.turns) {
      const place = this.#requests.placeOf(turn);
      this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), turn]);
    }
    this.length = Math.max(0, ...this.#byPlace.keys()) + (recording.turns.length > 0 ? 1 : 0);
  }

  /**
   * Finds the turn of a request, or the differences from the nearest one; undefined where no conversation is so long.
   */
  find(sent: PlainRequest, comparing: Comparing): RecordedTurn | readonly Difference[] | undefined {
    let nearest: readonly Difference[] | undefined;
    for (const turn of this.#byPlace.get(placeOf(sent)) ?? []) {
      const recorded = this.#requests.of(turn);
      const found = differences(
        comparable(recorded, recorded, comparing),
        comparable(sent, recorded, comparing),
        DIFFERENCES_SOUGHT,
      );
      if (found.length === 0) return turn;
      if (nearest === undefined || found.length < nearest.length) nearest = found;
    }
    return nearest;
  }
}

/** Derives the ids of tool uses from the caller's id, so that two runs of a recording never share one. */
function withIds(content: readonly ContentBlock[], id: string | undefined): ContentBlock[] {
  if (id === undefined) return [...content];
  return content.map((block, index) =>
    block.type === 'tool_use' ? { ...block, id: derivedId('toolu_', [id, index]) } : block,
  );
}

/**
 * A provider that answers from recordings. The n-th reply to a conversation is the n-th recorded one, if the request
 * equals the recorded request. There is no state, so retries and parallel sessions are safe.
 *
 * Its methods reject with a `ReplayMismatchError` that lists the differences.
 */
export function createReplayProvider(options: ReplayProviderOptions): ModelProvider {
  const { recordingFor, match = 'text', ignore = [] } = options;
  const indexes = new WeakMap<Recording, IndexedRecording>();

  const indexOf = (recording: Recording): IndexedRecording => {
    const index = indexes.get(recording) ?? new IndexedRecording(recording);
    indexes.set(recording, index);
    return index;
  };

  const reply = async (request: ModelRequest, { signal, id }: ReplyOptions): Promise<ModelReply> => {
    signal.throwIfAborted();
    const recording = await recordingFor(request.model, signal);
    signal.throwIfAborted();
    try {
      const index = indexOf(recording);
      const sent = plainRequest(request);
      const found = index.find(sent, { match, ignore });
      if (found === undefined) throw recordingEnded(request.model, index.length);
      if (!('reply' in found)) throw replayMismatch(request.model, placeOf(sent) + 1, match, found);
      return {
        ...found.reply,
        id: id ?? found.reply.id,
        model: request.model,
        content: withIds(found.reply.content, id),
      };
    } catch (error) {
      if (error instanceof RecordingUnreadableError) throw unusableRecording(request.model, error.message);
      throw error;
    }
  };
  return {
    name: 'replay',
    reply,
    async *stream(request, replyOptions) {
      yield* messageEvents(await reply(request, replyOptions));
    },
  };
}

/** The recording is at fault, and not the request. */
export function unusableRecording(name: string, why: string): ApiError {
  return new ApiError('api_error', `the recording '${name}' cannot be used: ${why}`, { retryable: false });
}
