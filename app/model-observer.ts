import type { Tracing } from '@steadyhand/contracts';
import type { ModelRequestObserver } from '@steadyhand/messages';
import { type Metrics, modelRequestCounter, modelRequestSpans } from '@steadyhand/telemetry';

/** Counts the requests to language models, and makes spans of them where there is tracing. */
export function modelObserver({ models }: Metrics, tracing: Tracing | undefined): ModelRequestObserver {
  const counter = modelRequestCounter(models);
  if (tracing === undefined) return counter;
  const spans = modelRequestSpans(tracing);
  return {
    begin(asked) {
      const counted = counter.begin(asked);
      const span = spans.begin(asked);
      return {
        traceparent: span.traceparent,
        first() {
          counted.first();
          span.first();
        },
        answered(tokens, stopReason) {
          counted.answered(tokens);
          span.answered(tokens, stopReason);
        },
        failed(fault, tokens) {
          counted.failed(fault, tokens);
          span.failed(fault, tokens);
        },
        left(tokens) {
          counted.left(tokens);
          span.left(tokens);
        },
      };
    },
  };
}
