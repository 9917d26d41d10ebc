import { SandboxError } from '@steadyhand/contracts';

/** Makes the error of a request that is wrong in itself; the message names the field and what was expected. */
export function invalidRequest(message: string): SandboxError {
  return new SandboxError('invalid_request', message);
}
