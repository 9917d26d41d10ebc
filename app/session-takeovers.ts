import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApiError } from '../messages/index.ts';
import {
  SandboxNotFoundError,
  SandboxOutdatedError,
  SandboxPathNotFoundError,
  SandboxUnavailableError,
} from '../sandbox/client/errors.ts';
import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import { handBack, interruptAll, readTakeover } from '../sandbox/client/watching.ts';
import type { Takeover, TakeoverStart } from '../sandbox/protocol.ts';
import { sessionData } from '../sessions/index.ts';
import type { Store } from '../store/index.ts';
import type { SessionEvent } from '../workflows/session/events.ts';

/** How long a person is kept waiting: for the action under way to end, or for what is about to begin. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 100;

export interface SessionTakeoversOptions {
  readonly store: Pick<Store, 'sessions'>;
  readonly sandboxes: Pick<Sandboxes, 'reach'>;
  /** Tells the session's machine; rejects with a WorkflowUpdateFailedError when the event is not legal now. */
  readonly send: (session: string, event: SessionEvent) => Promise<unknown>;
  /** The takeover that the session's machine has or waits for. */
  readonly asked: (session: string) => Promise<string | null>;
}

/**
 * Taking a session's computer and giving it back. The machine knows of a takeover from the moment it is asked for, the
 * computer from the moment it begins.
 */
export class SessionTakeovers {
  readonly #options: SessionTakeoversOptions;

  constructor(options: SessionTakeoversOptions) {
    this.#options = options;
  }

  /** As SessionRuntime's; the session's workflow runs. */
  async takeOver(
    session: string,
    { id, ...terms }: TakeoverStart,
    { interrupt }: { readonly interrupt: boolean },
  ): Promise<Takeover | null> {
    const { sandboxes, send } = this.#options;
    await this.#requireReady(session);
    try {
      await send(session, { type: 'takeover', takeover: id, ...terms });
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError)
        throw new ApiError('conflict_error', `Session ${session} is taken over by another person`);
      throw error;
    }
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const sandbox = await this.#sandboxOf(session);
      if (sandbox !== null) {
        try {
          if (interrupt) await interruptAll(sandboxes, sandbox);
          const { takeover } = await readTakeover(sandboxes, sandbox);
          if (takeover?.id === id) return takeover;
        } catch (error) {
          // Asked for it is: whoever asked has to learn its id.
          if (!(error instanceof SandboxUnavailableError || error instanceof SandboxNotFoundError))
            throw error;
        }
      }
      await pause(LOOK_MS);
    }
    return null;
  }

  /** As SessionRuntime's. The computer is asked first, so that one that is held goes back without a workflow's help. */
  async handBack(session: string, takeover: string): Promise<Takeover | null> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const ended = await this.#handBack(session, takeover).catch(orUnavailable);
      if (ended !== null && !(ended instanceof Error)) return ended;
      if (await this.#withdraw(session, takeover)) return null;
      if (ended !== null) throw ended;
      if ((await this.#asked(session)) !== takeover) {
        // Between the two looks it may have begun and ended.
        const late = await this.#handBack(session, takeover);
        if (late !== null) return late;
        throw new ApiError('not_found_error', `there is no takeover ${takeover}`);
      }
      if (Date.now() >= deadline)
        throw new ApiError('conflict_error', `Takeover ${takeover} is about to begin: hand back again`);
      await pause(LOOK_MS);
    }
  }

  /** One that is away, or knows of no takeovers, is not asked for: the machine would wait for it, or fail. */
  async #requireReady(session: string): Promise<void> {
    const sandbox = await this.#sandboxOf(session);
    if (sandbox === null) return;
    try {
      await readTakeover(this.#options.sandboxes, sandbox);
    } catch (error) {
      if (error instanceof SandboxOutdatedError) throw new ApiError('conflict_error', error.message);
      // It is made anew when the takeover begins.
      if (!(error instanceof SandboxNotFoundError)) throw error;
    }
  }

  /** Null when the computer does not know the takeover. */
  async #handBack(session: string, takeover: string): Promise<Takeover | null> {
    const sandbox = await this.#sandboxOf(session);
    if (sandbox === null) return null;
    try {
      return await handBack(this.#options.sandboxes, sandbox, takeover);
    } catch (error) {
      if (error instanceof SandboxNotFoundError || error instanceof SandboxPathNotFoundError) return null;
      throw error;
    }
  }

  /** False when it has begun, or was never asked for. */
  async #withdraw(session: string, takeover: string): Promise<boolean> {
    try {
      await this.#options.send(session, { type: 'takeover.withdrawn', takeover });
      return true;
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async #asked(session: string): Promise<string | null> {
    try {
      return await this.#options.asked(session);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  async #sandboxOf(session: string): Promise<string | null> {
    const record = await this.#options.store.sessions.get(session);
    return record === undefined ? null : sessionData(record).sandbox_id;
  }
}

/** A computer that is away may have been asked for all the same. */
function orUnavailable(error: unknown): SandboxUnavailableError {
  if (error instanceof SandboxUnavailableError) return error;
  throw error;
}
