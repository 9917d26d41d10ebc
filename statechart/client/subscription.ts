import type { AnyStateMachine } from 'xstate';
import type { ReferenceCodec } from '../core/data.ts';
import type { Change, ChangesView } from '../core/messages.ts';
import { actorChange, type ActorChange } from './actor-view.ts';
import { Deadline } from './deadline.ts';
import { ActorEndedError, type ActorError } from './errors.ts';
import { Pace, type PollOptions } from './pace.ts';

export interface SubscribeOptions {
  /**
   * The `seq` of the last change that was seen; 0 for all that are still kept. Default: the state now, and what follows.
   */
  readonly from?: number;
  /** Ends the iteration; it throws the signal's reason. */
  readonly signal?: AbortSignal;
  readonly poll?: PollOptions;
}

/** What a subscription asks of its actor. */
interface Source {
  readonly changes: (cursor: number, deadline: Deadline) => Promise<ChangesView>;
  /** Why the workflow is closed; undefined while it is open. */
  readonly closed: () => Promise<ActorError | undefined>;
  /** Waits for the end; throws what ended it unless it was done. */
  readonly result: (deadline: Deadline) => Promise<void>;
}

/** After so many questions without news, and each time again, it is looked whether the workflow is still open. */
const IDLE = 4;

/** Asks for changes until there can be no more. */
export async function* subscription<TMachine extends AnyStateMachine>(
  { from, signal, poll = {} }: SubscribeOptions,
  codec: ReferenceCodec,
  source: Source,
): AsyncGenerator<ActorChange<TMachine>, void, undefined> {
  const deadline = new Deadline(signal === undefined ? {} : { signal });
  const pace = new Pace(poll);
  let cursor = from ?? (await latestState(source, deadline));
  let closed: ActorError | undefined;
  for (let idle = 0; ;) {
    const view = await ask(source, cursor, deadline);
    // Another workflow of the same id counts from its own beginning.
    if (view.cursor < cursor) {
      yield { type: 'lost', seq: 0 };
      cursor = 0;
      continue;
    }
    const [first] = view.changes;
    if (view.lost) yield { type: 'lost', seq: first === undefined ? view.cursor : first.seq - 1 };
    cursor = view.cursor;
    for (const change of view.changes) yield actorChange<TMachine>(change, codec);
    if (view.changes.some(isEnd)) {
      await source.result(deadline);
      return;
    }
    if (closed instanceof ActorEndedError && closed.status === 'COMPLETED') return;
    if (closed !== undefined) throw closed;
    idle = view.changes.length > 0 ? 0 : idle + 1;
    // What came before the end is asked for once more.
    if (idle > 0 && idle % IDLE === 0) closed = await source.closed();
    if (closed === undefined) await deadline.pause(pace.next(view.changes.length > 0));
  }
}

async function ask(source: Source, cursor: number, deadline: Deadline): Promise<ChangesView> {
  deadline.throwIfAborted();
  try {
    return await source.changes(cursor, deadline);
  } catch (error) {
    deadline.throwIfAborted();
    throw error;
  }
}

/** The cursor before the newest state. */
async function latestState(source: Source, deadline: Deadline): Promise<number> {
  const { changes, cursor } = await ask(source, 0, deadline);
  const latest = changes.findLast(({ type }) => type === 'state');
  return latest === undefined ? cursor : latest.seq - 1;
}

const isEnd = (change: Change): boolean => change.type === 'state' && change.status !== 'active';
