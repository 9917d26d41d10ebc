import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import {
  ApiError,
  isSandboxError,
  type SandboxError,
  type Takeover,
  type TakeoverStart,
} from '@steadyhand/contracts';
import { handBack, interruptAll, readTakeover, type Sandboxes } from '@steadyhand/sandbox/client';
import { sessionData } from '@steadyhand/sessions';
import type { Store } from '@steadyhand/store';
import type { SessionEvent } from '@steadyhand/workflows';

/** How long a person waits for the end of the action under way, or for a takeover that is about to begin. */
const TIMEOUT_MS = 10_000;
const POLL_MS = 100;

interface SessionTakeoversOptions {
  readonly store: Pick<Store, 'sessions'>;
  readonly sandboxes: Pick<Sandboxes, 'reach'>;
  /** Sends to the session's state machine; rejects with a WorkflowUpdateFailedError when the event is not legal now. */
  readonly send: (session: string, event: SessionEvent) => Promise<unknown>;
  /** The takeover that is under way or requested, as the session's state machine knows it. */
  readonly requested: (session: string) => Promise<string | null>;
}

/**
 * Takes over a session's sandbox and hands it back. The state machine knows a takeover from the moment it is requested, the
 * sandbox from the moment it begins.
 */
export class SessionTakeovers {
  readonly #options: SessionTakeoversOptions;

  constructor(options: SessionTakeoversOptions) {
    this.#options = options;
  }

  /** Does what SessionRuntime's method of this name says; the session's workflow has to run. */
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
    const deadline = Date.now() + TIMEOUT_MS;
    while (Date.now() < deadline) {
      const sandbox = await this.#sandboxOf(session);
      if (sandbox !== null) {
        try {
          if (interrupt) await interruptAll(sandboxes, sandbox);
          const { takeover } = await readTakeover(sandboxes, sandbox);
          if (takeover?.id === id) return takeover;
        } catch (error) {
          // The takeover is requested, so the caller has to learn its id although the sandbox is away.
          if (!isSandboxError(error, 'unavailable', 'sandbox_not_found', 'lost')) throw error;
        }
      }
      await pause(POLL_MS);
    }
    return null;
  }

  /** Does what SessionRuntime's method says. The sandbox comes first, so that handing back works without the workflow. */
  async handBack(session: string, takeover: string): Promise<Takeover | null> {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const ended = await this.#handBack(session, takeover).catch(orUnavailable);
      if (ended !== null && !(ended instanceof Error)) return ended;
      if (await this.#withdraw(session, takeover)) return null;
      if (ended !== null) throw ended;
      if ((await this.#requested(session)) !== takeover) {
        // The takeover may have begun and ended between the two checks.
        const late = await this.#handBack(session, takeover);
        if (late !== null) return late;
        throw new ApiError('not_found_error', `there is no takeover ${takeover}`);
      }
      if (Date.now() >= deadline)
        throw new ApiError('conflict_error', `Takeover ${takeover} is about to begin: hand back again`);
      await pause(POLL_MS);
    }
  }

  /** Refuses a takeover of a sandbox that is away or knows no takeovers: the state machine would wait for it, or fail. */
  async #requireReady(session: string): Promise<void> {
    const sandbox = await this.#sandboxOf(session);
    if (sandbox === null) return;
    try {
      await readTakeover(this.#options.sandboxes, sandbox);
    } catch (error) {
      if (isSandboxError(error, 'unsupported')) throw new ApiError('conflict_error', error.message);
      // A sandbox that does not exist, or is lost, is followed by another when the takeover begins.
      if (!isSandboxError(error, 'sandbox_not_found', 'lost')) throw error;
    }
  }

  /** Hands the sandbox back; null when it does not know the takeover. */
  async #handBack(session: string, takeover: string): Promise<Takeover | null> {
    const sandbox = await this.#sandboxOf(session);
    if (sandbox === null) return null;
    try {
      return await handBack(this.#options.sandboxes, sandbox, takeover);
    } catch (error) {
      if (isSandboxError(error, 'sandbox_not_found', 'not_found', 'lost')) return null;
      throw error;
    }
  }

  /** Withdraws the request; false when the takeover has begun or was never requested. */
  async #withdraw(session: string, takeover: string): Promise<boolean> {
    try {
      await this.#options.send(session, { type: 'takeover.withdrawn', takeover });
      return true;
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async #requested(session: string): Promise<string | null> {
    try {
      return await this.#options.requested(session);
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

/** The error of a sandbox that is away as a value, because the takeover may be requested all the same. */
function orUnavailable(error: unknown): SandboxError {
  if (isSandboxError(error, 'unavailable')) return error;
  throw error;
}
