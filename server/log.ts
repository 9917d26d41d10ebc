import type { RequestHandler } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import { requestId } from './request-id.ts';

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
 * The process's logger: one JSON object a line, on standard error unless told otherwise, with secrets taken out.
 * @param level a pino level, or `silent`
 */
export function createLogger(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** One line a request, when its answer ended: the path without its query, which may hold what a user typed. */
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
      };
      if (res.statusCode >= 500) log.warn(line, 'request');
      else log.debug(line, 'request');
    });
    next();
  };
}
