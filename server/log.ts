import type { RequestHandler } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import { createScrub } from './auth/redaction.ts';
import { logFieldsOf } from './http/log-fields.ts';
import { requestId } from './http/request-id.ts';
import type { Scrub } from './http/scrub.ts';

/** Where a secret could stand in something that is logged: headers, and the configuration as a whole. */
const SECRET_PATHS = [
  ...['headers', 'req.headers', 'request.headers', 'err.headers'].flatMap((headers) => [
    `${headers}.authorization`,
    `${headers}.cookie`,
    `${headers}["x-api-key"]`,
  ]),
  ...['', 'config.', 'anthropic.', 'config.anthropic.'].map((parent) => `${parent}apiKey`),
];

/**
 * The process's logger: one JSON object a line, on standard error unless told otherwise, with secrets taken out: where one
 * is expected by its place, and anywhere else by what it is.
 * @param level a pino level, or `silent`
 * @param trace what a line says of the trace that it is written in
 */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination(2),
  scrub: Scrub = createScrub([]),
  trace?: () => object,
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
      ...(trace === undefined ? {} : { mixin: trace }),
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => destination.write(scrub(line)) },
  );
}

/**
 * One line a request, when its answer ended: who asked which model, what came of it, how long it took. The path goes without
 * its query, which may hold what a user typed; bodies and headers are not logged at all.
 */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const line = {
        request_id: requestId(res),
        method: req.method,
        // Not req.path, which a nested router may have shortened by now.
        path: req.originalUrl.split('?', 1)[0],
        status: res.statusCode,
        ms: Math.round(performance.now() - start),
        ...(res.writableFinished ? {} : { cut: true }),
        ...logFieldsOf(res),
      };
      if (res.statusCode >= 500) log.warn(line, 'request');
      else if ('model' in line || 'error_type' in line) log.info(line, 'request');
      else log.debug(line, 'request');
    });
    next();
  };
}
