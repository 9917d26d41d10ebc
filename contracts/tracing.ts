/** Facts about a piece of work: ids, numbers and short words. Never what a user, a model or a tool has said, never a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

export interface SpanOptions {
  /** Default: work inside this process. */
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /**
   * The span that this one belongs to, as the header `traceparent` names it; null begins a trace. Default: the span that the
   * caller runs in.
   */
  readonly parent?: string | null | undefined;
  /** Further spans that led to this one, as `traceparent` names them. */
  readonly links?: readonly string[];
  /** Milliseconds since 1970; default: now. */
  readonly start?: number;
  /** The id of the span, 16 hexadecimal digits, where others had to know it before; default: a new one. */
  readonly id?: string;
  /** Ids that lines of the log carry while the span is under way, beside its own. */
  readonly log?: Readonly<Record<string, string>>;
}

/** A piece of work of a trace. */
export interface Span {
  /** The span as the header `traceparent` of W3C Trace Context names it. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Gives it another name, where that is known only at its end. */
  rename(name: string): void;
  /** Says that the work failed, by a short word such as an error's class. */
  fail(type: string): void;
}

export interface OpenSpan extends Span {
  /** @param at milliseconds since 1970; default: now */
  end(at?: number): void;
}

/** Tells a collector which work was done when, and what it belonged to. Who gets none tells nothing, at the cost of a branch. */
export interface Tracing {
  /** Runs work as a span, which what it calls belongs to. A failure is noted by its class and thrown on. */
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Begins a span that ends elsewhere. Nothing belongs to it but what names it as its parent. */
  begin(name: string, options?: SpanOptions): OpenSpan;
  /** The span that the caller runs in, as `traceparent` names it. */
  current(): string | undefined;
  /** What lines of the log carry: `trace_id`, `span_id`, and the ids that the spans around the caller gave. */
  logFields(): Readonly<Record<string, string>>;
}

/** Runs work as a span where there is tracing, else as it is. */
export function traced<T>(
  tracing: Tracing | undefined,
  name: string,
  options: () => SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  return tracing === undefined ? work() : tracing.run(name, options(), work);
}
