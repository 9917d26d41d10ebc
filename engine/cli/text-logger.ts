import type { EngineLogger } from '../connection/engine-logger.ts';
import type { LogFormat, LogLevel } from './command-line.ts';

const SEVERITY: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, never: 4 };

/** Writes what is at least as severe as `level` to standard error, a line each. */
export function textLogger({
  level,
  format,
}: {
  readonly level: LogLevel;
  readonly format: LogFormat;
}): EngineLogger {
  const at =
    (severity: Exclude<LogLevel, 'never'>) =>
    (details: object, message: string): void => {
      if (SEVERITY[severity] < SEVERITY[level]) return;
      const time = new Date().toISOString();
      const plain = JSON.stringify(details, (_, value: unknown) =>
        value instanceof Error ? (value.stack ?? value.message) : value,
      );
      const line =
        format === 'json'
          ? JSON.stringify({ time, level: severity, msg: message, details: JSON.parse(plain) as unknown })
          : `${time} ${severity} ${message}${plain === '{}' ? '' : ` ${plain}`}`;
      process.stderr.write(`${line}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
