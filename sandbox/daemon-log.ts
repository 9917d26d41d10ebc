/** One JSON object a line on standard error, which the client points at the sandbox's own log file. */
export interface DaemonLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export function createLog(write: (line: string) => void): DaemonLog {
  const log =
    (level: 'info' | 'error') =>
    (msg: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      write(`${JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })}\n`);
    };
  return { info: log('info'), error: log('error') };
}
