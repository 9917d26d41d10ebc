import { ApiError, SandboxError } from '@steadyhand/contracts';
import {
  type Capabilities,
  isKnown,
  performAll,
  readNetworkLog,
  type Sandboxes,
  windowTitle,
} from '@steadyhand/sandbox/client';
import { type Health, sandboxDamaged, type SandboxService } from '@steadyhand/server';

/** The sandboxes as the server uses them: their errors become the API's. */
export function sandboxService(sandboxes: Sandboxes): SandboxService {
  return {
    create: (options) => asked(() => sandboxes.create(options)),
    networkLog: (id, page) => asked(() => readNetworkLog(sandboxes, id, page)),
    list: () => asked(() => sandboxes.list()),
    get: (id) => asked(() => sandboxes.get(id)),
    screenshot: (id) => asked(() => sandboxes.screenshot(id)),
    performAll: (id, requests, options) => asked(() => performAll(sandboxes, id, requests, options)),
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
    case 'damaged':
      return sandboxDamaged(message, error);
    case 'unavailable':
      return new ApiError('api_error', message, { cause: error });
    case 'window_changed':
      // Whoever asked for the window decides what comes of it: it looks again.
      return error;
  }
}
