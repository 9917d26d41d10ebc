import type { ReplyOptions } from './provider.ts';

/** The header by which an upstream's work belongs to the trace of the request, where there is one. */
export function traceHeader({ traceparent }: Pick<ReplyOptions, 'traceparent'>): {
  readonly headers?: { readonly traceparent: string };
} {
  return traceparent === undefined ? {} : { headers: { traceparent } };
}
