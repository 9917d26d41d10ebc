import type { RequestHandler } from 'express';
import type { Tracing } from '@steadyhand/contracts';
import { noteForLog } from './log-fields.ts';
import { requestId } from './request-id.ts';
import { routeOf } from './route-of.ts';

/** What probes, collectors and pages ask for all the time is no trace. */
const UNTRACED = /^\/(?:health|livez|readyz|metrics|static)(?:\/|$)/;

/** Makes a span of every request, from its arrival to the end of its answer. It belongs to the client's trace, if there is one. */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    if (UNTRACED.test(req.path)) {
      next();
      return;
    }
    const { method } = req;
    const work = tracing.run(
      method,
      {
        kind: 'server',
        parent: req.get('traceparent') ?? null,
        attributes: {
          'http.request.method': method,
          'url.scheme': req.protocol,
          'steadyhand.request_id': requestId(res),
        },
      },
      (span) =>
        new Promise<void>((resolve) => {
          const [, trace_id = '', span_id = ''] = span.traceparent.split('-');
          noteForLog(res, { trace_id, span_id });
          res.once('close', () => {
            const route = routeOf(req);
            span.rename(`${method} ${route}`);
            const status = res.writableFinished ? res.statusCode : 499;
            span.set({ 'http.route': route, 'http.response.status_code': status });
            if (status >= 500) span.fail(String(status));
            resolve();
          });
          next();
        }),
    );
    work.catch(next);
  };
}
