import { defaultPayloadConverter, type WorkflowSignalInput } from '@temporalio/client';

type Headers = WorkflowSignalInput['headers'];

/** The header under which Temporal's SDKs carry a trace: a map with the headers of W3C Trace Context. */
const TRACE = '_tracer-data';
const LINK = 'steadyhand-link-';

/** A turn's trace on its way through Temporal. */
export interface CarriedTrace {
  /** The span that told the workflow of the message. */
  readonly traceparent: string;
  /** When that was, in milliseconds since 1970; undefined for one from elsewhere. */
  readonly since: number | undefined;
}

export function withTrace(headers: Headers, traceparent: string, since: number): Headers {
  return { ...headers, [TRACE]: defaultPayloadConverter.toPayload({ traceparent, since: String(since) }) };
}

/** The trace that headers carry, and those that they link to. */
export function traceOf(headers: Headers): {
  readonly trace: CarriedTrace | undefined;
  readonly links: readonly string[];
} {
  const links = Object.keys(headers)
    .filter((name) => name.startsWith(LINK))
    .flatMap((name) => read(headers[name])?.traceparent ?? []);
  return { trace: read(headers[TRACE]), links };
}

function read(payload: Headers[string] | undefined): CarriedTrace | undefined {
  if (payload === undefined) return undefined;
  const { traceparent, since } =
    defaultPayloadConverter.fromPayload<Readonly<Record<string, unknown>>>(payload);
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, since: typeof since === 'string' ? Number(since) : undefined };
}
