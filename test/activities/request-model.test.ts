import type { RequestModelInput, RequestModelOutcome } from '../../contracts/session-activities.ts';
import { createActivities } from '../../activities/index.ts';
import { MAX_FAULTS } from '../../activities/model-fault.ts';
import { requestModel } from '../../activities/request-model.ts';
import { createAnthropicProvider, createProviderRegistry } from '../../messages/index.ts';
import { createVault, readLog } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import {
  eventsOf,
  failure,
  type Handler,
  message as reply,
  startUpstream,
  stream,
  text,
  toolUse,
} from '../support/anthropic-upstream.ts';
import { crashingStore, inActivity, message, openBench } from './support.ts';
import { openedForAll } from '../support/opened.ts';

const bench = openedForAll(openBench);
const upstream = openedForAll(startUpstream);
afterEach(() => upstream.reset());

/** An answer of the upstream: a whole reply as a stream. */
const says = (...given: Parameters<typeof reply>): Handler => stream(eventsOf(reply(...given)));

interface Asking {
  readonly store?: Store;
  readonly change?: Partial<RequestModelInput>;
  readonly step?: number;
  readonly deps?: object;
}

/** One attempt at the step, in a process of its own. */
function attempt(session: string, asking: Asking = {}): Promise<RequestModelOutcome> {
  const { store = bench.store, change = {}, step = 1, deps = {} } = asking;
  const provider = createAnthropicProvider({ apiKey: 'test-key-0', baseURL: upstream.baseURL });
  const providers = createProviderRegistry([{ model: 'claude-*', provider }]);
  const input = { session, epoch: 1, generation: 1, turns: 0, waits: 0, faults: 0, pauses: 0, ...change };
  const activities = createActivities({ ...bench.deps, ...deps, store, providers });
  return inActivity(() => activities.requestModel(input, { step }));
}

/** What an attempt ended in, as the machine is told of it. */
async function ended(work: Promise<RequestModelOutcome>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    const { type, message: words, nonRetryable } = error as { type?: string; nonRetryable?: boolean } & Error;
    return { failed: type, words, nonRetryable };
  }
}

async function spokenTo(
  tools: readonly object[] = [{ type: 'bash_20241022', name: 'bash' }],
): Promise<string> {
  const agent = await bench.sessions.agents.create({ name: 'a', model: 'claude-local', tools });
  const { id } = await bench.sessions.create({ agent: agent.id });
  await bench.user(id, message('go'));
  return id;
}

const asking = [{ type: 'bash_20241022', name: 'bash', permission_policy: { type: 'always_ask' } }];
const run = toolUse('toolu_1', 'bash', { command: 'true' });

const typesOf = async (session: string): Promise<string[]> =>
  (await readLog(bench.store, session)).map(({ type }) => type);

interface Row {
  readonly answer: Handler;
  readonly tools?: readonly object[];
  readonly change?: Partial<RequestModelInput>;
  readonly outcome: object;
  /** What the log holds beside the message, the status and the request's start. */
  readonly types: readonly string[];
  readonly status: string;
}

const END = 'span.model_request_end';

const OUTCOMES: Readonly<Record<string, Row>> = {
  'a reply that ends the turn': {
    answer: says('Done.'),
    outcome: { type: 'end' },
    types: ['agent.message', END],
    status: 'running',
  },
  'a reply without a word': {
    answer: says([]),
    outcome: { type: 'end' },
    types: [END],
    status: 'running',
  },
  'tools that may run': {
    answer: says([text('I see.'), run]),
    outcome: { type: 'tools', calls: [{ decision: 'allow' }] },
    types: ['agent.message', 'agent.tool_use', END],
    status: 'running',
  },
  'tools that are asked for': {
    answer: says([run]),
    tools: asking,
    outcome: { type: 'tools', calls: [{ decision: 'ask' }] },
    types: ['agent.tool_use', END, 'session.status_idle'],
    status: 'idle',
  },
  'a turn that the provider paused': {
    answer: says('Half of', { stop_reason: 'pause_turn' }),
    outcome: { type: 'continue' },
    types: ['agent.message', END],
    status: 'running',
  },
  'a model that declines': {
    answer: says('', {
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: 'cyber', explanation: 'Not this.' },
    }),
    outcome: { type: 'refusal' },
    types: [END],
    status: 'running',
  },
  'a rate limit': {
    answer: failure(429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }),
    outcome: { type: 'wait', fault: false },
    types: [END, 'session.error', 'session.status_rescheduled'],
    status: 'rescheduling',
  },
  'a fault of the provider': {
    answer: failure(500, 'api_error', 'oops'),
    outcome: { type: 'wait', fault: true },
    types: [END, 'session.error', 'session.status_rescheduled'],
    status: 'rescheduling',
  },
  'one fault too many': {
    answer: failure(500, 'api_error', 'oops'),
    change: { faults: MAX_FAULTS - 1 },
    outcome: { failed: 'api_error', nonRetryable: true },
    types: [END],
    status: 'running',
  },
  'a request that is refused': {
    answer: failure(400, 'invalid_request_error', 'no such thing'),
    outcome: { failed: 'invalid_request_error', words: 'no such thing', nonRetryable: true },
    types: [END],
    status: 'running',
  },
  'a reply that cannot be understood': {
    answer: says([{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }]),
    outcome: { failed: 'api_error', nonRetryable: true },
    types: [END],
    status: 'running',
  },
};

describe.each(Object.entries(OUTCOMES))('%s', (_name, row) => {
  test('is told, written down and charged', async () => {
    upstream.answer = row.answer;
    const session = await spokenTo(row.tools);
    expect(await ended(attempt(session, row))).toMatchObject(row.outcome);
    expect(await typesOf(session)).toEqual([
      'user.message',
      'session.status_running',
      'span.model_request_start',
      ...row.types,
    ]);
    expect((await bench.sessions.retrieve(session)).status).toBe(row.status);
  });

  test('is the same after a crash behind any line, and no recorded reply is paid for twice', async () => {
    upstream.answer = row.answer;
    const calls: string[] = [];
    const whole = await spokenTo(row.tools);
    const store = crashingStore(bench.store, Infinity, calls);
    await ended(attempt(whole, { ...row, store }));
    const expected = await typesOf(whole);
    expect(calls.length).toBeGreaterThan(5);
    for (let line = 1; line <= calls.length; line++) {
      upstream.reset();
      upstream.answer = row.answer;
      const session = await spokenTo(row.tools);
      const crashed = attempt(session, { ...row, store: crashingStore(bench.store, line) });
      await expect(crashed).rejects.toMatchObject({ name: 'Crash' });
      const first = await bench.store.events.recorded(session, 'step/1.1/reply');
      const outcome = await ended(attempt(session, row));
      expect([line, outcome]).toMatchObject([line, row.outcome]);
      // A wait is as long as it was told the first time; any other outcome is the very same, too.
      expect(await ended(attempt(session, row))).toEqual(outcome);
      const isRecorded = first !== undefined && !('failed' in row.outcome);
      expect(isRecorded ? first.outcome : outcome).toEqual(outcome);
      expect(await typesOf(session)).toEqual(expected);
      // Only between the reply's arrival and its recording may it get lost.
      const mayBeLost = ['effects.begin'].includes(calls[line - 1] ?? '');
      expect([line, upstream.seen.length]).toEqual([line, mayBeLost ? 2 : 1]);
    }
  });
});

describe('what a step does not ask for', () => {
  test('a limit that is reached', async () => {
    const session = await spokenTo();
    await bench.sessions.update(session, { limits: { max_turns: 1 } });
    expect(await attempt(session, { change: { turns: 1 } })).toEqual({ type: 'limit' });
    expect(upstream.seen).toEqual([]);
  });

  test('a conversation in which nothing waits for an answer', async () => {
    upstream.answer = says('Done.');
    const session = await spokenTo();
    await attempt(session);
    expect(await attempt(session, { step: 2 })).toEqual({ type: 'end' });
    expect(upstream.seen).toHaveLength(1);
  });

  test('secrets that cannot be opened: the model is not paid to hear of it', async () => {
    const key = Buffer.alloc(32, 1);
    const sealed = createVault(key).seal('sesn_other', { TOKEN: 'hunter22' });
    const session = await spokenTo();
    const data = (await bench.store.sessions.get(session))?.data ?? {};
    const secret = { name: 'TOKEN', allowed_tools: ['bash'] };
    await bench.store.sessions.update(session, () => ({ data: { ...data, secrets: [secret] } }));
    const sessions = { ...bench.store.sessions, sealed: async () => sealed };
    const store = { ...bench.store, sessions };
    const failed = await ended(attempt(session, { store, deps: { vault: createVault(key) } }));
    expect(failed).toMatchObject({ failed: 'CorruptError', nonRetryable: true });
    expect(upstream.seen).toEqual([]);
  });
});

describe('a paused turn', () => {
  test('goes on with what was said, and one reply is what both parts make', async () => {
    upstream.queue.push(says('Half of', { stop_reason: 'pause_turn' }), says(' the answer.'));
    const session = await spokenTo();
    expect(await attempt(session)).toEqual({ type: 'continue' });
    expect(await attempt(session, { step: 2, change: { turns: 1, pauses: 1 } })).toEqual({ type: 'end' });
    expect(upstream.seen[1]?.body['messages']).toEqual([
      expect.objectContaining({ role: 'user' }),
      { role: 'assistant', content: [{ type: 'text', text: 'Half of' }] },
    ]);
  });

  test('has an end, however often it is paused', async () => {
    upstream.answer = says('Half of', { stop_reason: 'pause_turn' });
    const session = await spokenTo();
    await attempt(session);
    const failed = await ended(attempt(session, { step: 2, change: { pauses: 32 } }));
    expect(failed).toMatchObject({ failed: 'api_error', nonRetryable: true });
    expect(upstream.seen).toHaveLength(1);
  });
});

describe('what follows a reply fails', () => {
  test('the reply is kept: the model is not asked again when it is tried once more', async () => {
    upstream.answer = says([toolUse('toolu_1', 'computer', { action: 'left_click' })]);
    const session = await spokenTo([
      { type: 'computer_20241022', name: 'computer', display_width_px: 64, display_height_px: 48 },
    ]);
    const match = { tool: 'computer', window_title: 'Bank' };
    const rules = { rules: [{ match, decision: 'deny' }] };
    const data = (await bench.store.sessions.get(session))?.data ?? {};
    await bench.store.sessions.update(session, () => ({ data: { ...data, sandbox_id: 'sbx_1' } }));
    // The rule asks for the window, and the computer cannot be reached.
    const away = { reach: () => Promise.reject(new Error('the computer is away')) };
    const deps = { policy: rules, sandboxes: away };
    for (let n = 0; n < 3; n++) {
      expect(await ended(attempt(session, { deps }))).toMatchObject({ words: 'the computer is away' });
    }
    expect(upstream.seen).toHaveLength(1);
    const outcome = await attempt(session);
    expect(outcome).toMatchObject({ type: 'tools' });
    expect(upstream.seen).toHaveLength(1);
  });

  test('a store that does not take the reply gets it with the next attempt of the process', async () => {
    upstream.answer = says('Done.');
    const session = await spokenTo();
    const provider = createAnthropicProvider({ apiKey: 'test-key-0', baseURL: upstream.baseURL });
    const providers = createProviderRegistry([{ model: 'claude-*', provider }]);
    let isFull = true;
    const effects = {
      ...bench.store.effects,
      begin: (...given: Parameters<Store['effects']['begin']>) =>
        isFull ? Promise.reject(new Error('disk full')) : bench.store.effects.begin(...given),
    };
    const ask = requestModel({ ...bench.deps, providers, store: { ...bench.store, effects } });
    const input = { session, epoch: 1, generation: 1, turns: 0, waits: 0, faults: 0, pauses: 0 };
    await expect(inActivity(() => ask(input, { step: 1 }))).rejects.toThrow('disk full');
    isFull = false;
    expect(await inActivity(() => ask(input, { step: 1 }))).toEqual({ type: 'end' });
    expect(upstream.seen).toHaveLength(1);
  });
});

test('the steps of a later workflow are not those of an earlier one', async () => {
  upstream.queue.push(says('First.'), says('Second.'));
  const session = await spokenTo();
  await attempt(session);
  await bench.user(session, message('again'));
  expect(await attempt(session, { change: { epoch: 2, generation: 2 } })).toEqual({ type: 'end' });
  expect(upstream.seen).toHaveLength(2);
});
