/** The process cannot listen on its HTTP address. */
export class AddressUnavailableError extends Error {
  override readonly name = 'AddressUnavailableError';
  /** @param variable the one that the port comes from */
  constructor(variable: 'PORT' | 'HEALTH_PORT', host: string, port: number, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const reason = REASONS[code] ?? code;
    super(`HOST=${host} ${variable}=${port} cannot be listened on: ${reason}`, { cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has the port',
  EACCES: 'ports below 1024 need more rights',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name is not known',
};
