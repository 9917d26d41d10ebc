import type { Response } from 'express';

/** What a request's log line says beside what every line says. Never content, never a key. */
export interface LogFields {
  readonly trace_id?: string;
  readonly span_id?: string;
  /** The name of the client's key. */
  readonly key?: string;
  readonly model?: string;
  /** The provider's name in the configuration. */
  readonly provider?: string;
  /** The upstream's id of the request. */
  readonly upstream_request_id?: string;
  readonly streamed?: boolean;
  readonly stop_reason?: string | null;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** Milliseconds until the first event of a streamed reply. */
  readonly first_byte_ms?: number;
  /** The type of the error that was answered, or that ended a stream. */
  readonly error_type?: string;
  readonly timings?: object;
}

/** Puts fields into the log line of the request that this answers. */
export function noteForLog(res: Response, fields: LogFields): void {
  res.locals['logFields'] = { ...logFieldsOf(res), ...fields };
}

export function logFieldsOf(res: Response): LogFields {
  return (res.locals['logFields'] as LogFields | undefined) ?? {};
}
