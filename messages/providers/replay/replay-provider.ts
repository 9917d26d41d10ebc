import { createHash } from 'node:crypto';
import { ApiError } from '@steadyhand/contracts';
import type { ContentBlock } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { messageEvents } from '../../stream/message-events.ts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../provider.ts';
import { comparable, type Comparing, type Match, placeOf } from './comparable.ts';
import { type Difference, differences } from './differences.ts';
import { plainRequest, type PlainRequest } from './plain-request.ts';
import {
  type RecordedTurn,
  RecordedRequests,
  type Recording,
  RecordingUnreadableError,
} from './recording.ts';
import { replayMismatch, recordingEnded, DIFFERENCES_SOUGHT } from './replay-errors.ts';

export interface ReplayProviderOptions {
  /** The recording for a model's name. Rejects with an ApiError when there is none. */
  readonly recordingFor: (model: string, signal: AbortSignal) => Promise<Recording>;
  /** Default `text`. */
  readonly match?: Match;
  /** What these find in texts is not compared: times, process ids. */
  readonly ignore?: readonly RegExp[];
}

/** A recording made ready to be asked. */
class IndexedRecording {
  readonly #requests: RecordedRequests;
  readonly #byPlace = new Map<number, RecordedTurn[]>();
  /** Replies to the longest conversation. */
  readonly length: number;

  constructor(recording: Recording) {
    this.#requests = new RecordedRequests(recording);
    for (const turn of recording.turns) {
      const place = this.#requests.placeOf(turn);
      this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), turn]);
    }
    this.length = Math.max(0, ...this.#byPlace.keys()) + (recording.turns.length > 0 ? 1 : 0);
  }

  /** The turn whose request this is, or how the nearest one differs; undefined when no conversation came so far. */
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

/** With an id of the caller's, its tool uses get ids of their own: two runs of a recording never share one. */
function withIds(content: readonly ContentBlock[], id: string | undefined): ContentBlock[] {
  if (id === undefined) return [...content];
  return content.map((block, index) => {
    if (block.type !== 'tool_use') return block;
    const hash = createHash('sha256')
      .update(JSON.stringify([id, index]))
      .digest('hex');
    return { ...block, id: `toolu_${hash.slice(0, 24)}` };
  });
}

/**
 * A recording answers: the n-th reply to a conversation comes from the n-th that was recorded, when the request is the one
 * that it answered then. It keeps no state, so retries and sessions beside each other disturb nothing.
 *
 * @throws {ReplayMismatchError} with what differs.
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

/** The recording itself is at fault, not the request. */
export function unusableRecording(name: string, why: string): ApiError {
  return new ApiError('api_error', `the recording '${name}' cannot be used: ${why}`, { retryable: false });
}
