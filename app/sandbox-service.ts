import { ApiError, SandboxError } from '@steadyhand/contracts';
import {
  type Capabilities,
  isKnown,
  performAll,
  readNetworkLog,
  readRecording,
  readSegment,
  type Sandboxes,
  SandboxFiles,
  SandboxSnapshots,
  switchRecording,
  windowTitle,
} from '@steadyhand/sandbox/client';
import {
  type Health,
  sandboxDamaged,
  sandboxLost,
  type SandboxFileService,
  type SandboxService,
  type ScreenRecordingService,
  type SnapshotService,
  type StoreHealth,
} from '@steadyhand/server';
import type { StorageState } from '@steadyhand/store';

/** The sandboxes as the server uses them: their errors become the API's. */
export function sandboxService(sandboxes: Sandboxes): SandboxService {
  return {
    create: (options) => withApiErrors(() => sandboxes.create(options)),
    networkLog: (id, page) => withApiErrors(() => readNetworkLog(sandboxes, id, page)),
    list: () => withApiErrors(() => sandboxes.list()),
    get: (id) => withApiErrors(() => sandboxes.get(id)),
    screenshot: (id) => withApiErrors(() => sandboxes.screenshot(id)),
    performAll: (id, requests, options) => withApiErrors(() => performAll(sandboxes, id, requests, options)),
    windowTitle: (id) => withApiErrors(() => windowTitle(sandboxes, id)),
    isKnown: (id, key) => withApiErrors(() => isKnown(sandboxes, id, key)),
    delete: (id) =>
      withApiErrors(async () => {
        await sandboxes.get(id);
        await sandboxes.delete(id);
      }),
  };
}

/** The files of sandboxes as the server uses them. */
export function sandboxFileService(sandboxes: Pick<Sandboxes, 'reach'>): SandboxFileService {
  const files = new SandboxFiles(sandboxes);
  return {
    list: (...given) => withApiErrors(() => files.list(...given)),
    describe: (...given) => withApiErrors(() => files.describe(...given)),
    read: (...given) => withApiErrors(() => files.read(...given)),
    write: (...given) => withApiErrors(() => files.write(...given)),
    remove: (...given) => withApiErrors(() => files.remove(...given)),
    makeFolder: (...given) => withApiErrors(() => files.makeFolder(...given)),
    move: (...given) => withApiErrors(() => files.move(...given)),
  };
}

/** Screen recordings as the server uses them. */
export function screenRecordingService(sandboxes: Pick<Sandboxes, 'reach'>): ScreenRecordingService {
  return {
    read: (sandbox) => withApiErrors(() => readRecording(sandboxes, sandbox)),
    switch: (sandbox, action) => withApiErrors(() => switchRecording(sandboxes, sandbox, action)),
    segment: (sandbox, number) => withApiErrors(() => readSegment(sandboxes, sandbox, number)),
  };
}

/** Snapshots as the server uses them. */
export function snapshotService(
  sandboxes: Pick<Sandboxes, 'reach' | 'get' | 'snapshots' | 'archives'>,
): SnapshotService {
  const snapshots = new SandboxSnapshots(sandboxes);
  return {
    take: (sandbox) => withApiErrors(() => snapshots.take(sandbox)),
    listOf: (sandbox) => withApiErrors(() => snapshots.list(sandbox)),
    restore: (sandbox, id) => withApiErrors(() => snapshots.restore(sandbox, id)),
    removeOf: (sandbox, id) => withApiErrors(() => snapshots.remove(sandbox, id)),
    list: () => snapshots.listAll(),
    find: (id) => snapshots.find(id),
    remove: (id) => snapshots.removeAny(id),
  };
}

/** The desktop's part of `/health`. */
export function desktopHealth({ isolation, desktop }: Capabilities): Health['desktop'] {
  const { chosen } = isolation;
  const reasons: string[] = [];
  if (chosen === null) reasons.push(`no isolation: ${isolation.reason}`);
  if (!desktop.available) reasons.push(`missing programs: ${desktop.missing.join(', ')}`);
  return {
    available: desktop.available && chosen !== null,
    isolation: chosen,
    reason: reasons.length === 0 ? null : reasons.join('; '),
  };
}

/** Does the work; an error of the sandbox becomes one of the API. */
export async function withApiErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SandboxError ? toApiError(error) : error;
  }
}

function toApiError(error: SandboxError): Error {
  const { code, message } = error;
  switch (code) {
    case 'sandbox_not_found':
    case 'not_found':
    case 'unsupported':
      return new ApiError('not_found_error', message);
    case 'invalid_request':
      return new ApiError('invalid_request_error', message);
    case 'key_reused':
    case 'conflict':
      return new ApiError('conflict_error', message);
    case 'too_large':
      return new ApiError('request_too_large', message);
    case 'storage_full':
      return new ApiError('api_error', message, {
        status: 507,
        retryable: false,
        details: { error_code: 'storage_full' },
        cause: error,
      });
    case 'no_place':
      return new ApiError('overloaded_error', message, { retryAfterMs: 5000, cause: error });
    case 'lost':
      return sandboxLost(message, error);
    case 'damaged':
      return sandboxDamaged(message, error);
    case 'unavailable':
      return new ApiError('api_error', message, { cause: error });
    case 'window_changed':
      // The caller that asked for the window handles this error: it reads the window again.
      return error;
  }
}

/** The store's part of `/health`. */
export function storeHealth(state: StorageState, brokenSessions = 0): StoreHealth {
  return { status: state.status, reason: reasonOf(state), broken_sessions: brokenSessions };
}

function reasonOf(state: StorageState): string | null {
  switch (state.status) {
    case 'ok':
      return null;
    case 'full':
      return `the disk of ${state.folder} is full${state.free_bytes === null ? '' : `: ${state.free_bytes} bytes are free`}`;
    case 'unwritable':
      return `${state.folder} cannot be written: ${state.reason}`;
  }
}
