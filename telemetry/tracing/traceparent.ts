import type { SpanContext } from '@opentelemetry/api';

/** Version 00 of the header, and later ones as far as version 00 goes. */
const FORM = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const ZERO = /^0+$/;

/** The span that a `traceparent` names; undefined for one that is not valid, which W3C Trace Context says to ignore. */
export function contextOf(traceparent: string): (SpanContext & { readonly isRemote: true }) | undefined {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(traceparent) ?? [];
  if (traceId === '' || ZERO.test(traceId) || ZERO.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** The header `traceparent` for a span. */
export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** The ids in a `traceparent` of ours. */
export function idsOf(traceparent: string): { readonly trace_id: string; readonly span_id: string } {
  return { trace_id: traceparent.slice(3, 35), span_id: traceparent.slice(36, 52) };
}
