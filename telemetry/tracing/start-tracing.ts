import { AsyncLocalStorage } from 'node:async_hooks';
import type { DiagLogger, Span as SdkSpan } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { OpenSpan, SpanOptions, Tracing } from '@steadyhand/contracts';
import { contextOf, idsOf, traceparentOf } from './traceparent.ts';

/** What a process says of itself in every trace. */
export interface TracedProcess {
  /** Where `OTEL_SERVICE_NAME` says nothing. */
  readonly serviceName: string;
  readonly version: string;
  /** Tells this process from others of the same service. */
  readonly instance: string;
  /** Hears that spans could not be sent, at most once a minute. */
  readonly warn: (fault: string) => void;
  /** Who sends the spans; default: OTLP over HTTP in protobuf. */
  readonly exporter?: SpanExporter;
}

export interface StartedTracing {
  readonly tracing: Tracing;
  /** Sends what is left. Resolves also when the collector cannot be reached. */
  readonly stop: () => Promise<void>;
}

/** What the caller runs in. */
interface Running {
  readonly traceparent: string;
  readonly log: Readonly<Record<string, string>>;
}

/**
 * Starts to send spans by OTLP over HTTP, as the environment variables of OpenTelemetry say. Its packages are loaded here and
 * nowhere else, so that a process without tracing does not load them.
 */
export async function startTracing({
  serviceName,
  version,
  instance,
  warn,
  exporter,
}: TracedProcess): Promise<StartedTracing> {
  const { api, sdk, otlp, resources } = await import('./opentelemetry.ts');
  api.diag.setLogger(quietLogger(warn), { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const ids = new sdk.RandomIdGenerator();
  let givenId: string | undefined;
  const provider = new sdk.BasicTracerProvider({
    // Later ones win, so that the environment may say otherwise.
    resource: resources
      .resourceFromAttributes({
        'service.name': serviceName,
        'service.version': version,
        'service.instance.id': instance,
      })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    idGenerator: {
      generateTraceId: () => ids.generateTraceId(),
      generateSpanId: () => givenId ?? ids.generateSpanId(),
    },
    spanProcessors: [new sdk.BatchSpanProcessor(exporter ?? new otlp.OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('steadyhand', version);
  const running = new AsyncLocalStorage<Running>();
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };

  const open = (name: string, { kind, attributes, parent, links = [], start, id }: SpanOptions): SdkSpan => {
    const above = parent === undefined ? running.getStore()?.traceparent : (parent ?? undefined);
    const known = above === undefined ? undefined : contextOf(above);
    const context =
      known === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, known);
    givenId = id;
    try {
      return tracer.startSpan(
        name,
        {
          kind: kind === undefined ? api.SpanKind.INTERNAL : kinds[kind],
          ...(attributes === undefined ? {} : { attributes }),
          links: links.flatMap((link) => contextOf(link) ?? []).map((linked) => ({ context: linked })),
          ...(start === undefined ? {} : { startTime: start }),
        },
        context,
      );
    } finally {
      givenId = undefined;
    }
  };
  const spanOf = (sdkSpan: SdkSpan): OpenSpan => ({
    traceparent: traceparentOf(sdkSpan.spanContext()),
    set: (attributes) => void sdkSpan.setAttributes(attributes),
    rename: (name) => void sdkSpan.updateName(name),
    fail(type) {
      sdkSpan.setAttribute('error.type', type);
      sdkSpan.setStatus({ code: api.SpanStatusCode.ERROR });
    },
    end: (at) => sdkSpan.end(at),
  });

  const tracing: Tracing = {
    async run(name, options, work) {
      const span = spanOf(open(name, options));
      try {
        const { traceparent } = span;
        const log = { ...running.getStore()?.log, ...options.log, ...idsOf(traceparent) };
        return await running.run({ traceparent, log }, () => work(span));
      } catch (error) {
        span.fail(error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span.end();
      }
    },
    begin: (name, options = {}) => spanOf(open(name, options)),
    current: () => running.getStore()?.traceparent,
    logFields: () => running.getStore()?.log ?? {},
  };
  return {
    tracing,
    stop: () => within(STOP_MS, provider.shutdown()),
  };
}

/** How long a process that ends waits for its last spans to be sent. */
const STOP_MS = 3000;

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** How often it is said at most that spans cannot be sent. */
const WARN_EVERY_MS = 60_000;

function quietLogger(warn: (fault: string) => void): DiagLogger {
  let last = -Infinity;
  const say = (message: string): void => {
    if (performance.now() - last < WARN_EVERY_MS) return;
    last = performance.now();
    warn(`traces are not sent: ${reasonIn(message)}`);
  };
  const nothing = (): void => undefined;
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
}

/** OpenTelemetry's packages write an error as JSON with its stack. */
function reasonIn(message: string): string {
  try {
    const fault = JSON.parse(message) as { readonly message?: unknown };
    return typeof fault.message === 'string' ? fault.message : message;
  } catch {
    return message;
  }
}
