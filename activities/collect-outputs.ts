import type { Readable } from 'node:stream';
import { Context } from '@temporalio/activity';
import { isSandboxError } from '@steadyhand/contracts';
import {
  type BytePath,
  bytePathOf,
  SandboxFiles,
  shownPath,
  type TreeEntry,
} from '@steadyhand/sandbox/client';
import { FILE_LIMIT_BYTES, fileType, keptName, OUTPUTS } from '@steadyhand/sessions';
import { BytesTooManyError, createIds, type Store } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';
import { lively } from './lively.ts';
import { readSession } from './session-data.ts';

/** Files that one turn may leave; more stay in the sandbox, where its files route gives them. */
const MAX_FILES = 1000;
/** Bytes that one turn may leave, where sparse files cost an agent nothing: what is over waits for the next turn. */
const MAX_BYTES = 2 * 1024 ** 3;
/** How long a computer may say nothing, in ms. */
const SILENCE_MS = 10_000;
/** The same where somebody waits for the turn to be over, or where the computer may be what failed. */
export const SHORT_SILENCE_MS = 2000;

/**
 * Makes files of the session of what its agent has left in `/mnt/session/outputs`. A file that has not changed since it was
 * collected is passed over; one that has becomes another file. Nothing that goes wrong here keeps a turn from ending.
 */
export async function collectOutputs(
  deps: Pick<ActivityDeps, 'store' | 'sandboxes'>,
  session: string,
  silenceMs = SILENCE_MS,
): Promise<void> {
  const { sandbox_id: sandbox } = await readSession(deps.store, session);
  if (sandbox === null) return;
  await lively(async (signal) => {
    try {
      const files = new SandboxFiles(deps.sandboxes);
      let bytes = 0;
      for (const entry of await outputsOf(files, sandbox, silenceMs)) {
        signal.throwIfAborted();
        if (bytes + entry.size <= MAX_BYTES)
          bytes += await collect(deps.store, files, { session, sandbox, entry, silenceMs });
      }
    } catch (error) {
      Context.current().log.warn('outputs not collected', { session, error });
    }
  });
}

async function outputsOf(
  files: SandboxFiles,
  sandbox: string,
  silenceMs: number,
): Promise<readonly TreeEntry[]> {
  const found: TreeEntry[] = [];
  let after: BytePath | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await within(
      silenceMs,
      files.list(sandbox, bytePathOf(OUTPUTS), { depth: null, ...place }),
    ).catch((error: unknown) => {
      if (isSandboxError(error, 'not_found')) return { entries: [], more: false };
      throw error;
    });
    found.push(...page.entries.filter(({ kind }) => kind === 'file'));
    after = page.more ? page.entries.at(-1)?.path : undefined;
  } while (after !== undefined && found.length < MAX_FILES);
  return found.slice(0, MAX_FILES);
}

/** Answers how many bytes were taken. */
async function collect(
  store: Store,
  files: SandboxFiles,
  {
    session,
    sandbox,
    entry,
    silenceMs,
  }: { session: string; sandbox: string; entry: TreeEntry; silenceMs: number },
): Promise<number> {
  const origin = shownPath(entry.path);
  const known = await store.files.newestFrom(session, origin);
  if (known?.stamp === entry.stamp || entry.size > FILE_LIMIT_BYTES) return 0;
  try {
    // The stamp is that of what was opened: it may have changed since it was listed.
    const opened = await within(silenceMs, files.read(sandbox, entry.path));
    const staged = await store.files.stage(audible(opened.body, silenceMs), FILE_LIMIT_BYTES);
    const name = origin.slice(origin.lastIndexOf('/') + 1);
    const type = fileType(undefined, name, staged.head);
    await staged.keep({
      id: newId('file'),
      filename: keptName(name, type),
      mime_type: type,
      scope: session,
      origin,
      stamp: opened.entry.stamp,
    });
    return staged.size;
  } catch (error) {
    // Gone meanwhile, or no longer a file that can be kept.
    if (isSandboxError(error, 'not_found') || error instanceof BytesTooManyError) return 0;
    throw error;
  }
}

/** A computer that hangs must not keep the turn from ending. */
function within<T>(silenceMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silent()), silenceMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The same bytes; one that falls silent between two of them ends in an error. */
async function* audible(body: Readable, silenceMs: number): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => body.destroy(silent()), silenceMs);
  try {
    for await (const chunk of body) {
      timer.refresh();
      yield chunk as Buffer;
    }
  } finally {
    clearTimeout(timer);
  }
}

const silent = (): Error => new Error('the computer does not answer');

const newId = createIds();
