import type { ActionOutcome, SandboxError } from '@steadyhand/contracts';
import { append, sessionError } from '@steadyhand/sessions';
import type { Store } from '@steadyhand/store';
import { beginOn, sandboxIdAfter, type SessionComputer } from './session-computer.ts';

const GONE = 'Its files and programs are gone.';
const NEXT = 'The next action gets a new computer, on which nothing of this one is left.';
const UNKNOWN =
  'This action had been given to it, and its outcome is unknown: it may have been performed there, in part or not at all. It was not repeated.';
const NOT_DONE = 'This action was not performed.';

/**
 * Says that the computer of a session was lost, in its event log, and gives the session the id of the next one, which
 * its next tool use makes. However often it is said, the log says it once.
 */
export async function leaveLostComputer(store: Store, session: string, error: SandboxError): Promise<string> {
  const id = error.sandbox ?? '';
  const next = sandboxIdAfter(id);
  const message = `The computer was lost (${error.reason}). ${GONE} ${NEXT}`;
  await append(store, {
    session,
    key: `sandbox/lost/${id}`,
    events: [sessionError('unknown_error', message, 'retrying')],
    sandboxId: next,
  });
  return next;
}

/** Says in a session's event log, once, that a new computer was made for one that was lost. */
export async function announceNewComputer(
  store: Store,
  session: string,
  { id }: SessionComputer,
): Promise<void> {
  const body = { sandbox_id: id, message: 'A new computer was made for the one that was lost. It is empty.' };
  await append(store, { session, key: `sandbox/made/${id}`, events: [{ type: 'sandbox.replaced', body }] });
}

/**
 * The outcome of a tool use that meets the loss of its computer. It is not performed on the next one: the model has to
 * learn first that all is gone.
 */
export async function lostOutcome(
  store: Store,
  session: string,
  toolUse: string,
  error: SandboxError,
): Promise<Exclude<ActionOutcome, { status: 'unknown' }>> {
  const id = error.sandbox ?? '';
  // The intent is written first, so that a later attempt finds it and performs nothing either.
  const given = await beginOn(store, session, toolUse, { id, made: null });
  await leaveLostComputer(store, session, error);
  const wasGiven = given === null || given.made !== null;
  return toldBy(
    `The computer was lost: the machine that had it is gone. ${GONE} ${wasGiven ? UNKNOWN : NOT_DONE} ${NEXT}`,
  );
}

/** The outcome of a tool use that was given to a computer that the session does not have any more. */
export function formerOutcome(
  given: SessionComputer,
  present: SessionComputer,
): Exclude<ActionOutcome, { status: 'unknown' }> {
  // A sandbox that a person deletes is made again under its id; one that was lost is followed by another id.
  const what =
    given.id === present.id
      ? 'The computer was deleted, and you have a new computer now.'
      : 'The computer was lost: the machine that had it is gone. You have a new computer now.';
  return toldBy(
    `${what} Files and programs of the old one are gone. ${given.made === null ? NOT_DONE : UNKNOWN}`,
  );
}

function toldBy(text: string): Exclude<ActionOutcome, { status: 'unknown' }> {
  return { status: 'done', is_error: true, content: `<system>${text}</system>` };
}
