import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { startTracing } from '@steadyhand/telemetry';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const TRACE = PARENT.slice(3, 35);
const AT = Date.parse('2030-01-01T00:00:00Z');
const warnings: string[] = [];
let spans: ReadableSpan[];

beforeEach(() => {
  spans = [];
  warnings.length = 0;
});

/** Keeps the spans when it is shut down, at which the one of the packages forgets them. */
class KeepingExporter extends InMemorySpanExporter {
  override shutdown(): Promise<void> {
    spans.push(...this.getFinishedSpans());
    return super.shutdown();
  }
}

const start = (exporter: SpanExporter = new KeepingExporter()): ReturnType<typeof startTracing> =>
  startTracing({
    serviceName: 'steadyhand-test',
    version: '1.2.3',
    instance: 'one',
    warn: (fault) => warnings.push(fault),
    exporter,
  });

const byName = (name: string): ReadableSpan | undefined => spans.find((span) => span.name === name);

test('work within work, what began elsewhere, links and given ids', async () => {
  const { tracing, stop } = await start();
  await tracing.run('outer', { parent: PARENT, attributes: { n: 1, left: undefined } }, async () => {
    expect(tracing.logFields()).toEqual({
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      span_id: tracing.current()?.slice(36, 52),
    });
    await tracing.run('inner', { log: { session: 's' } }, async () => {
      expect(tracing.logFields()).toMatchObject({ session: 's' });
    });
    tracing.begin('told', { id: 'ab'.repeat(8), start: AT, links: [PARENT, 'nonsense'] }).end(AT + 1000);
  });
  expect(tracing.current()).toBeUndefined();
  await stop();
  const outer = byName('outer');
  expect(outer?.resource.attributes).toMatchObject({
    'service.name': 'steadyhand-test',
    'service.version': '1.2.3',
  });
  expect(outer?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
  expect(outer?.attributes).toEqual({ n: 1 });
  const { spanId } = outer?.spanContext() ?? {};
  expect(byName('inner')?.parentSpanContext).toMatchObject({ spanId, traceId: TRACE });
  const told = byName('told');
  expect(told?.spanContext().spanId).toBe('ab'.repeat(8));
  expect(told?.parentSpanContext?.spanId).toBe(spanId);
  expect([told?.startTime, told?.endTime]).toEqual([
    [AT / 1000, 0],
    [AT / 1000 + 1, 0],
  ]);
  expect(told?.links.map(({ context }) => context.traceId)).toEqual([TRACE]);
});

test.each([
  '',
  'nonsense',
  '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
  'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
])('a traceparent that is not valid begins a trace: %j', async (parent) => {
  const { tracing, stop } = await start();
  await tracing.run('alone', { parent }, async () => undefined);
  await stop();
  expect(byName('alone')?.parentSpanContext).toBeUndefined();
});

test('a trace that its client does not sample is not sent, and passed on as that', async () => {
  const { tracing, stop } = await start();
  await tracing.run('quiet', { parent: PARENT.replace(/01$/, '00') }, async ({ traceparent }) => {
    expect(traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
    await tracing.run('quiet within', {}, async () => undefined);
  });
  await stop();
  expect(spans).toEqual([]);
});

test('a failure is told by its class and thrown on, without its text', async () => {
  const { tracing, stop } = await start();
  const failing = tracing.run('failing', {}, () => Promise.reject(new TypeError('what the user typed')));
  await expect(failing).rejects.toThrow('what the user typed');
  await stop();
  const failed = byName('failing');
  expect(failed?.attributes).toEqual({ 'error.type': 'TypeError' });
  expect([failed?.status, failed?.events]).toEqual([{ code: 2 }, []]);
});

test('spans that cannot be sent are told once, by one line', async () => {
  const fault = new Error('connect ECONNREFUSED 127.0.0.1:4318');
  const failing: SpanExporter = {
    export: (_spans, done) => done({ code: 1, error: fault }),
    shutdown: () => Promise.resolve(),
  };
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '1';
  try {
    const { tracing, stop } = await start(failing);
    while (warnings.length === 0) await tracing.run('lost', {}, async () => undefined);
    await tracing.run('lost', {}, async () => undefined);
    await stop();
  } finally {
    delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
  }
  expect(warnings).toEqual(['traces are not sent: connect ECONNREFUSED 127.0.0.1:4318']);
});

test('a collector that never answers keeps nobody from ending', async () => {
  const hanging: SpanExporter = {
    export: (_spans, done) => done({ code: 0 }),
    shutdown: () => new Promise(() => undefined),
  };
  const { tracing, stop } = await start(hanging);
  await tracing.run('lost', {}, async () => undefined);
  await stop();
  expect(await tracing.run('after the end', {}, async () => 'done')).toBe('done');
});
