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
import { withHeartbeats } from './heartbeats.ts';
import { readSession } from './session-data.ts';

/** The most files of one turn; further ones stay in the sandbox, whose files can be downloaded by the API. */
const MAX_FILES = 1000;
/** The most bytes of one turn, because sparse files cost an agent nothing: what exceeds it waits for the next turn. */
const MAX_BYTES = 2 * 1024 ** 3;
/** How long a sandbox may send nothing. */
const IDLE_TIMEOUT_MS = 10_000;
/** The timeout where somebody waits for the end of the turn, or where the sandbox may be what failed. */
export const SHORT_IDLE_TIMEOUT_MS = 2000;

/**
 * Makes what the agent has left in `/mnt/session/outputs` files of the session. A file that has not changed since it was
 * collected is skipped; one that has changed becomes another file. No failure here keeps a turn from ending.
 */
export async function collectOutputs(
  deps: Pick<ActivityDeps, 'store' | 'sandboxes'>,
  session: string,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
): Promise<void> {
  const { sandbox_id: sandbox } = await readSession(deps.store, session);
  if (sandbox === null) return;
  await withHeartbeats(async (signal) => {
    try {
      // One that waits for a place on a machine has no outputs, and one that is lost has none any more.
      if (['waiting', 'lost'].includes((await deps.sandboxes.get(sandbox)).status)) return;
      const files = new SandboxFiles(deps.sandboxes);
      let bytes = 0;
      for (const entry of await outputsOf(files, sandbox, idleTimeoutMs)) {
        signal.throwIfAborted();
        if (bytes + entry.size <= MAX_BYTES)
          bytes += await collect(deps.store, files, { session, sandbox, entry, idleTimeoutMs });
      }
    } catch (error) {
      Context.current().log.warn('outputs not collected', { session, error });
    }
  });
}

async function outputsOf(
  files: SandboxFiles,
  sandbox: string,
  idleTimeoutMs: number,
): Promise<readonly TreeEntry[]> {
  const found: TreeEntry[] = [];
  let after: BytePath | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await withTimeout(
      idleTimeoutMs,
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

/** Collects one file; answers how many bytes were taken. */
async function collect(
  store: Store,
  files: SandboxFiles,
  {
    session,
    sandbox,
    entry,
    idleTimeoutMs,
  }: { session: string; sandbox: string; entry: TreeEntry; idleTimeoutMs: number },
): Promise<number> {
  const origin = shownPath(entry.path);
  const known = await store.files.newestFrom(session, origin);
  if (known?.stamp === entry.stamp || entry.size > FILE_LIMIT_BYTES) return 0;
  try {
    // The file may have changed since it was listed, so the stamp is that of the opened file.
    const opened = await withTimeout(idleTimeoutMs, files.read(sandbox, entry.path));
    const staged = await store.files.stage(withIdleTimeout(opened.body, idleTimeoutMs), FILE_LIMIT_BYTES);
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
    // The file was removed meanwhile, or is no longer one that can be kept.
    if (isSandboxError(error, 'not_found') || error instanceof BytesTooManyError) return 0;
    throw error;
  }
}

/** The promise's result, unless it takes too long: a sandbox that hangs must not keep the turn from ending. */
function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(noAnswer()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The same bytes; the stream ends in an error when nothing comes for too long. */
async function* withIdleTimeout(body: Readable, ms: number): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => body.destroy(noAnswer()), ms);
  try {
    for await (const chunk of body) {
      timer.refresh();
      yield chunk as Buffer;
    }
  } finally {
    clearTimeout(timer);
  }
}

const noAnswer = (): Error => new Error('the computer does not answer');

const newId = createIds();
