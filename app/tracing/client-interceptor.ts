import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Tracing } from '@steadyhand/contracts';
import { withTrace } from './trace-header.ts';

/** Gives what is sent to workflows the trace that it belongs to. */
export function clientInterceptor(tracing: Tracing): WorkflowClientInterceptor {
  const carrying = <Input extends { readonly headers: Parameters<typeof withTrace>[0] }>(
    input: Input,
  ): Input => {
    const traceparent = tracing.current();
    return traceparent === undefined
      ? input
      : { ...input, headers: withTrace(input.headers, traceparent, Date.now()) };
  };
  return {
    start: (input, next) => next(carrying(input)),
    signal: (input, next) => next(carrying(input)),
    signalWithStart: (input, next) => next(carrying(input)),
  };
}
