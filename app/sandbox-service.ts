import { ApiError } from '../messages/index.ts';
import { performAll } from '../sandbox/client/batch.ts';
import { readNetworkLog } from '../sandbox/client/network-log.ts';
import {
  SandboxConflictError,
  SandboxDamagedError,
  SandboxKeyReusedError,
  SandboxNotFoundError,
  SandboxPathNotFoundError,
  SandboxRequestError,
  SandboxStorageFullError,
  SandboxTooLargeError,
  SandboxUnavailableError,
  SandboxWindowChangedError,
} from '../sandbox/client/errors.ts';
import { isKnown, windowTitle } from '../sandbox/client/guarded-action.ts';
import { WindowChanged } from '../sessions/index.ts';
import type { Capabilities, Sandboxes } from '../sandbox/client/sandboxes.ts';
import type { Health, SandboxService } from '../server/services.ts';
import { sandboxDamaged } from '../server/sandbox-damaged.ts';

/** The sandboxes as the server uses them: their errors become the API's. */
export function sandboxService(sandboxes: Sandboxes): SandboxService {
  return {
    create: (options) => asked(() => sandboxes.create(options)),
    networkLog: (id, page) => asked(() => readNetworkLog(sandboxes, id, page)),
    list: () => asked(() => sandboxes.list()),
    get: (id) => asked(() => sandboxes.get(id)),
    screenshot: (id) => asked(() => sandboxes.screenshot(id)),
    performAll: (id, requests, options) =>
      asked(async () => {
        try {
          return await performAll(sandboxes, id, requests, options);
        } catch (error) {
          throw error instanceof SandboxWindowChangedError ? new WindowChanged(error.message) : error;
        }
      }),
    windowTitle: (id) => asked(() => windowTitle(sandboxes, id)),
    isKnown: (id, key) => asked(() => isKnown(sandboxes, id, key)),
    delete: (id) =>
      asked(async () => {
        await sandboxes.get(id);
        await sandboxes.delete(id);
      }),
  };
}

/** What `/health` says of the desktop. */
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

/** The same work, its errors as the API's. */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SandboxNotFoundError || error instanceof SandboxPathNotFoundError)
      throw new ApiError('not_found_error', error.message);
    if (error instanceof SandboxRequestError) throw new ApiError('invalid_request_error', error.message);
    if (error instanceof SandboxKeyReusedError || error instanceof SandboxConflictError)
      throw new ApiError('conflict_error', error.message);
    if (error instanceof SandboxTooLargeError) throw new ApiError('request_too_large', error.message);
    if (error instanceof SandboxStorageFullError) {
      const details = { error_code: 'storage_full' };
      throw new ApiError('api_error', error.message, {
        status: 507,
        retryable: false,
        details,
        cause: error,
      });
    }
    if (error instanceof SandboxDamagedError) throw sandboxDamaged(error.message, error);
    if (error instanceof SandboxUnavailableError) {
      throw new ApiError('api_error', error.message, { cause: error });
    }
    throw error;
  }
}
