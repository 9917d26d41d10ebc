import { traced, type Tracing } from '@steadyhand/contracts';
import type { LinkOptions } from './connection/link.ts';

/**
 * Makes a span of an action, and of each stage that the daemon says its time went to. The daemon exports nothing by itself: it has
 * no way out of its machine but the answer.
 */
export function tracedAction<T>(
  tracing: Tracing | undefined,
  sandbox: string,
  tool: string,
  act: (trace: Pick<LinkOptions, 'traceparent' | 'answered'>) => Promise<T>,
): Promise<T> {
  const attributes = { 'steadyhand.sandbox': sandbox, 'gen_ai.tool.name': tool };
  return traced(
    tracing,
    'sandbox action',
    () => ({ kind: 'client', attributes }),
    (span) =>
      act(
        span === undefined || tracing === undefined
          ? {}
          : {
              traceparent: span.traceparent,
              answered: (headers) => tellStages(tracing, span.traceparent, headers['server-timing']),
            },
      ),
  );
}

/** The stages in their order, the last of which has just ended. */
function tellStages(tracing: Tracing, parent: string, header: string | string[] | undefined): void {
  const stages = [...String(header ?? '').matchAll(/([a-z]+);dur=([\d.]+)/g)].map(([, name = '', ms]) => ({
    name,
    ms: Number(ms),
  }));
  let start = Date.now() - stages.reduce((sum, { ms }) => sum + ms, 0);
  for (const { name, ms } of stages) {
    tracing.begin(name, { parent, start }).end(start + ms);
    start += ms;
  }
}
