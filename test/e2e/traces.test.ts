import { openedForAll } from '../support/opened.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say, type ToolPolicies, until } from './support.ts';

/** Typed by nobody but the test's user; nothing of it may be in a trace. */
const SAID = 'words-that-only-the-user-knows';
const CLIENT_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

const receiver: OtlpReceiver = openedForAll(startOtlpReceiver, (opened) => opened.close());
const product = openedForAll(
  async () => {
    const opened = new Product({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOG_LEVEL: 'debug',
    });
    await opened.start();
    return opened;
  },
  (opened) => opened.dispose(),
  360_000,
);

/** The names from a span up to the one without a parent that was received. */
function wayUp(spans: readonly ReceivedSpan[], span: ReceivedSpan | undefined): readonly string[] {
  if (span === undefined) return [];
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentId && traceId === span.traceId);
  return [span.name, ...wayUp(spans, parent)];
}

const ofTrace = (trace: string): readonly ReceivedSpan[] =>
  receiver.spans.filter(({ traceId }) => traceId === trace);

async function newSession(policies: ToolPolicies = {}): Promise<string> {
  const { agent, environment_id } = await prepare(product.client, policies);
  return (await product.client.beta.sessions.create({ agent, environment_id })).id;
}

/** Says something with a trace of the client's own, and reads the stream until the session is idle. */
async function sayTraced(session: string, script: unknown, trace: string): Promise<void> {
  const stream = await product.client.beta.sessions.events.stream(session);
  await product.client.beta.sessions.events.send(
    session,
    { events: [{ type: 'user.message', content: [{ type: 'text', text: JSON.stringify(script) }] }] },
    { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } },
  );
  for await (const event of stream) if (event.type === 'session.status_idle') break;
}

test('a turn is one trace, from the HTTP request to the event that a client is sent', async () => {
  const session = await newSession();
  await sayTraced(session, [{ bash: `echo ${SAID}` }, { say: 'done' }], CLIENT_TRACE);
  const sent = 'send agent.tool_result';
  await receiver.until(() => {
    const names = ofTrace(CLIENT_TRACE).map(({ name }) => name);
    return [sent, 'send session.status_idle', 'invoke_agent', 'endTurn'].every((name) =>
      names.includes(name),
    );
  });
  const spans = ofTrace(CLIENT_TRACE);
  const named = (name: string): ReceivedSpan | undefined => spans.find((span) => span.name === name);
  const request = 'POST /v1/sessions/{id}/events';
  const turn = ['invoke_agent', 'signal user.message', 'append events', request];
  expect(wayUp(spans, named(sent))).toEqual([sent, 'append events', 'appendResult', ...turn]);
  expect(wayUp(spans, named('chat script'))).toEqual(['chat script', 'requestModel', ...turn]);
  expect(wayUp(spans, named('act'))).toEqual([
    'act',
    'sandbox action',
    'execute_tool bash',
    'runTool',
    ...turn,
  ]);
  expect(named(request)?.parentId).toBe('00f067aa0ba902b7');
  expect(named('chat script')?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'script',
    'gen_ai.usage.output_tokens': expect.any(Number) as unknown,
  });
  expect(named('execute_tool bash')?.attributes).toMatchObject({ 'gen_ai.tool.name': 'bash' });
  expect(named('invoke_agent')?.attributes).toMatchObject({ 'gen_ai.conversation.id': session });
  expect(receiver.bytes()).not.toContain(SAID);
  const lines = product.stderr.split('\n').filter((line) => line.includes(CLIENT_TRACE));
  expect(lines.length).toBeGreaterThan(0);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ trace_id: CLIENT_TRACE });
});

test('/metrics tells of it', async () => {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  const value = (series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length),
    );
  expect(value('steadyhand_step_seconds_count{step="runTool",outcome="ok"}')).toBe(1);
  expect(value('steadyhand_step_schedule_to_start_seconds_count{step="runTool"}')).toBe(1);
  expect(value('steadyhand_tool_uses_total{tool="bash",outcome="done"}')).toBe(1);
  expect(value('steadyhand_model_requests_total{provider="script",model="script",outcome="ok"}')).toBe(2);
  expect(
    value('steadyhand_model_tokens_total{provider="script",model="script",kind="output"}'),
  ).toBeGreaterThan(0);
  expect(value('steadyhand_event_log_events_total{type="agent.tool_result"}')).toBe(1);
  expect(value('steadyhand_store_seconds_count{operation="events.append",outcome="ok"}')).toBeGreaterThan(5);
  expect(value('steadyhand_sessions{status="idle"}')).toBe(1);
  expect(value('steadyhand_outbox_events')).toBe(0);
  expect(value('steadyhand_ready')).toBe(1);
  expect(value('steadyhand_part_up{part="store"}')).toBe(1);
  expect(value('steadyhand_worker_slots{queue="sessions",kind="activity"}')).toBe(200);
  expect(
    value('steadyhand_http_requests_total{method="POST",route="/v1/sessions/{id}/events",status="200"}'),
  ).toBe(1);
});

test('a confirmation is linked to the turn that it lets go on', async () => {
  const session = await newSession({ bash: 'always_ask' });
  const [asked = '', confirmed = ''] = ['d', 'e'].map((digit) => digit.repeat(32));
  await sayTraced(session, [{ bash: 'echo allowed' }], asked);
  const use = (await events(product.client, session)).find(({ type }) => type === 'agent.tool_use')?.id ?? '';
  await product.client.beta.sessions.events.send(
    session,
    { events: [{ type: 'user.tool_confirmation', tool_use_id: use, result: 'allow' }] },
    { headers: { traceparent: `00-${confirmed}-00f067aa0ba902b7-01` } },
  );
  await receiver.until(() => ofTrace(asked).some(({ name }) => name === 'runTool'));
  const linked = ofTrace(asked).filter(({ links }) => links.some(({ traceId }) => traceId === confirmed));
  expect(linked.map(({ name }) => name)).toEqual(['resumeTurn']);
  const told = ofTrace(confirmed).find(({ name }) => name === 'signal user.tool_confirmation');
  expect(linked[0]?.links).toEqual([{ traceId: confirmed, spanId: told?.spanId }]);
});

test('the next turn is a trace of its own', async () => {
  const session = await newSession();
  const [first, second] = ['a', 'b'].map((digit) => digit.repeat(32));
  await sayTraced(session, [{ say: 'one' }], first ?? '');
  await sayTraced(session, [{ say: 'two' }], second ?? '');
  await receiver.until(() => ofTrace(second ?? '').some(({ name }) => name === 'invoke_agent'));
  const turns = receiver.spans.filter(
    ({ name, attributes }) => name === 'invoke_agent' && attributes['gen_ai.conversation.id'] === session,
  );
  expect(turns.map(({ traceId }) => traceId)).toEqual([first, second]);
});

test('after kill -9 a turn goes on in its trace', async () => {
  const session = await newSession();
  const trace = 'c'.repeat(32);
  const steps = Array.from({ length: 4 }, (_, n) => ({ bash: `echo ${n}; sleep 0.3` }));
  await product.client.beta.sessions.events.send(
    session,
    { events: [{ type: 'user.message', content: [{ type: 'text', text: JSON.stringify(steps) }] }] },
    { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } },
  );
  await until(product, session, 'a result', (log) => resultTexts(log).length > 0);
  await product.kill();
  const before = ofTrace(trace).length;
  await product.start();
  expect(await idle(product, session)).toBe('end_turn');
  expect(resultTexts(await events(product.client, session))).toHaveLength(4);
  await receiver.until(() => ofTrace(trace).some(({ name }) => name === 'invoke_agent'));
  const after = ofTrace(trace).slice(before);
  const last = after.findLast(({ name }) => name === 'appendResult');
  expect(wayUp(after, last)).toEqual(['appendResult', 'invoke_agent']);
  // What began the turn was told before the process died, or died with it; the ids hold either way.
  expect(new Set(after.map(({ traceId }) => traceId))).toEqual(new Set([trace]));
});

test('a message without a trace begins one', async () => {
  const session = await newSession();
  await say(product.client, session, JSON.stringify([{ say: 'alone' }]));
  expect(await idle(product, session)).toBe('end_turn');
  const isOf = ({ name, attributes }: ReceivedSpan): boolean =>
    name === 'invoke_agent' && attributes['gen_ai.conversation.id'] === session;
  await receiver.until((spans) => spans.some(isOf));
  const turn = receiver.spans.find(isOf);
  const spans = ofTrace(turn?.traceId ?? '');
  expect(wayUp(spans, turn).at(-1)).toBe('POST /v1/sessions/{id}/events');
  expect(spans.find(({ name }) => name.startsWith('POST'))?.parentId).toBe('');
});
