/** Receives what an operator should know about the embedded engine. The loggers of pino have this shape. */
export interface EngineLogger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
