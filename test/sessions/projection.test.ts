import { assertAsyncProperty, assertProperty, draws, fc } from '../support/fast-check.ts';
import { parseMessageRequest } from '../../messages/parse-message-request.ts';
import {
  deniedResult,
  interruptedResult,
  loadMessages,
  type LogEvent,
  type NewEvent,
  replyEvents,
  toolResult,
} from '../../sessions/index.ts';
import { INTERRUPTED_RESULT } from '../../contracts/index.ts';
import { INTERRUPT_TEXT } from '../../sessions/events/builders.ts';
import { type ProjectedMessage, Projection, projectLog } from '../../sessions/log/project.ts';
import { happenings, play } from './random-log.ts';
import { fromUser } from '../support/blocks.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The rules of the Messages API, as the product's own endpoint enforces them. */
async function checkAgainstApi(messages: readonly ProjectedMessage[]): Promise<void> {
  const loaded = await loadMessages(messages, async () => ({
    type: 'base64',
    media_type: 'image/png',
    data: PIXEL,
  }));
  parseMessageRequest({ model: 'm', max_tokens: 1, messages: loaded }, { betas: [] });
  loaded.forEach(({ role }, index) => expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant'));
}

const blocks = (messages: readonly ProjectedMessage[]): unknown[] =>
  messages.flatMap(({ role, content }): unknown[] => content.map((block) => ({ role, block })));

describe('a random legal log', () => {
  it('is, whenever the model is asked and at any other cursor, a conversation that the API takes', async () => {
    let checked = 0;
    await assertAsyncProperty(60, happenings, fc.infiniteStream(fc.nat()), async (happened, chance) => {
      const { events, requests } = play(happened);
      const [one = 0, two = 0] = [chance.next().value, chance.next().value].map(
        (n) => Number(n) % (events.length + 1),
      );
      for (const cursor of [...requests.slice(-3), one, two, events.length]) {
        const messages = projectLog(events, cursor);
        if (messages.length === 0) continue;
        await checkAgainstApi(messages);
        checked += 1;
      }
    });
    expect(checked).toBeGreaterThan(draws(100));
  });

  it('gives the model at each request what it was given before, and more', () => {
    let compared = 0;
    assertProperty(200, happenings, (happened) => {
      const { events, requests } = play(happened);
      const seen = requests.map((cursor) => blocks(projectLog(events, cursor)));
      seen.slice(1).forEach((later, index) => {
        const earlier = seen[index] ?? [];
        expect(later.slice(0, earlier.length)).toEqual(earlier);
        const replied = events.some(({ internal }) => internal.reply?.cursor === requests[index]);
        const next = later[earlier.length] as { role: string } | undefined;
        expect(replied ? next?.role : 'assistant').toBe('assistant');
        compared += 1;
      });
    });
    expect(compared).toBeGreaterThan(draws(100));
  });

  it('is projected on from wherever it was asked for, and what was answered before stays as it was', () => {
    assertProperty(60, happenings, (happened) => {
      const { events } = play(happened);
      const projection = new Projection();
      const answered = events.map((event) => {
        projection.take(event);
        const now = projection.conversation();
        return { now, text: JSON.stringify(now) };
      });
      answered.forEach(({ now, text: before }, index) => {
        expect(now).toEqual(projectLog(events.slice(0, index + 1)));
        expect(JSON.stringify(now)).toBe(before);
      });
    });
  });

  it('does not depend on what comes after the cursor', () => {
    assertProperty(100, happenings, fc.nat(), (happened, at) => {
      const { events } = play(happened);
      const cursor = at % (events.length + 1);
      expect(projectLog(events, cursor)).toEqual(projectLog(events.slice(0, cursor)));
    });
  });

  it('holds every word of the user once and in order, and every reply that has something to say', () => {
    assertProperty(100, happenings, (happened) => {
      const { events } = play(happened);
      const texts = (role: string, prefix: string): string[] =>
        projectLog(events)
          .filter((message) => message.role === role)
          .flatMap(({ content }) => content as { type: string; text?: string }[])
          .flatMap(({ type, text }) => (type === 'text' && text?.startsWith(prefix) ? [text] : []));
      const logged = (type: string): string[] =>
        events
          .filter((event) => event.type === type)
          .flatMap(({ body }) => (body as { content: { type: string; text: string }[] }).content)
          .flatMap((block) => (block.type === 'text' ? [block.text] : []));
      expect(texts('user', 'u')).toEqual(logged('user.message'));
      expect(texts('assistant', 'a')).toEqual(logged('agent.message'));
    });
  });
});

/** Events whose seqs and ids come from their places. */
function logOf(...events: readonly NewEvent[]): LogEvent[] {
  return events.map(
    (event, index) =>
      ({
        ...event,
        seq: index + 1,
        id: `e${index + 1}`,
        session: 's',
        internal: event.internal ?? {},
        created_at: '',
      }) as LogEvent,
  );
}

const user = (text: string): NewEvent => ({
  type: 'user.message',
  body: { content: [{ type: 'text', text }] },
});
const interrupt: NewEvent = { type: 'user.interrupt', body: {} };
const bash = { type: 'bash_20241022', name: 'bash', permission_policy: { type: 'always_allow' } } as const;
const use = (id: string) => ({ type: 'tool_use' as const, id, name: 'bash', input: {} });
const text = (value: string) => ({ type: 'text' as const, text: value, citations: null });
const reply = (
  id: string,
  cursor: number,
  ...content: (ReturnType<typeof use> | ReturnType<typeof text>)[]
) => replyEvents({ id, content }, cursor, [bash]);
const ok = (id: string, value: string): NewEvent =>
  toolResult(id, { is_error: false, content: [{ type: 'text', text: value }] });
const result = (tool_use_id: string, content: unknown, is_error = false) => ({
  type: 'tool_result',
  tool_use_id,
  is_error,
  content,
});

describe('the places of a conversation', () => {
  it('answers tool uses in their order, whatever the order of the results', () => {
    const log = logOf(
      user('go'),
      ...reply('m1', 1, use('t1'), use('t2')),
      ok('e3', 'second'),
      ok('e2', 'first'),
    );
    expect(projectLog(log).at(-1)?.content).toEqual([
      result('t1', [{ type: 'text', text: 'first' }]),
      result('t2', [{ type: 'text', text: 'second' }]),
    ]);
  });

  it('puts words that came during a turn after the results of that turn', () => {
    const log = logOf(user('go'), ...reply('m1', 1, use('t1')), user('hurry'), ok('e2', 'done'));
    expect(projectLog(log).at(-1)?.content).toEqual([
      result('t1', [{ type: 'text', text: 'done' }]),
      { type: 'text', text: 'hurry' },
    ]);
  });

  it('puts words that came while the model was thinking after its reply', () => {
    const log = logOf(user('go'), user('wait'), ...reply('m1', 1, text('gone')));
    expect(projectLog(log).map(({ role, content }) => [role, content])).toEqual([
      ['user', [{ type: 'text', text: 'go' }]],
      ['assistant', [{ type: 'text', text: 'gone' }]],
      ['user', [{ type: 'text', text: 'wait' }]],
    ]);
  });

  it('says that an interrupt stopped the tools, and that the next words follow one', () => {
    const log = logOf(
      user('go'),
      ...reply('m1', 1, use('t1'), use('t2')),
      ok('e2', 'first'),
      interrupt,
      interruptedResult('e3'),
      user('do this instead'),
    );
    expect(projectLog(log).at(-1)?.content).toEqual([
      result('t1', [{ type: 'text', text: 'first' }]),
      result('t2', INTERRUPTED_RESULT, true),
      { type: 'text', text: INTERRUPT_TEXT },
      { type: 'text', text: 'do this instead' },
    ]);
  });

  it('says so too when the interrupt stopped the model itself', () => {
    const log = logOf(user('go'), interrupt, user('stop'));
    expect(projectLog(log)).toEqual([
      fromUser([
        { type: 'text', text: 'go' },
        { type: 'text', text: INTERRUPT_TEXT },
        { type: 'text', text: 'stop' },
      ]),
    ]);
  });

  it('says nothing of an interrupt that found nothing to stop', () => {
    const log = logOf(user('go'), ...reply('m1', 1, text('done')), interrupt, user('and now'));
    expect(projectLog(log).at(-1)?.content).toEqual([{ type: 'text', text: 'and now' }]);
  });

  it('gives an unanswered use the reason it has none', () => {
    const denial = (deny_message?: string): NewEvent => ({
      type: 'user.tool_confirmation',
      body: { tool_use_id: 'e2', result: 'deny', ...(deny_message === undefined ? {} : { deny_message }) },
    });
    const last = (...events: NewEvent[]): unknown =>
      projectLog(logOf(user('go'), ...reply('m1', 1, use('t1')), ...events)).at(-1)?.content[0];
    expect(last()).toEqual(result('t1', INTERRUPTED_RESULT, true));
    expect(last(denial())).toEqual(result('t1', 'The user denied this tool use.', true));
    expect(last(denial('too risky'))).toEqual(result('t1', 'The user denied this tool use: too risky', true));
    expect(last(denial(), deniedResult('e2', 'no'))).toEqual(
      result('t1', 'The user denied this tool use: no', true),
    );
  });

  it('lets the first of two results stand', () => {
    const log = logOf(user('go'), ...reply('m1', 1, use('t1')), interruptedResult('e2'), ok('e2', 'late'));
    expect(projectLog(log).at(-1)?.content).toEqual([result('t1', INTERRUPTED_RESULT, true)]);
  });

  it('keeps an empty result, and drops a picture beside an error', () => {
    const picture = { type: 'image' as const, source: { type: 'url' as const, url: 'http://x/y.png' } };
    const log = logOf(
      user('go'),
      ...reply('m1', 1, use('t1'), use('t2'), use('t3')),
      toolResult('e2', { is_error: false, content: [] }),
      toolResult('e3', { is_error: true, content: [{ type: 'text', text: 'broken' }, picture] }),
      toolResult('e4', { is_error: true, content: [picture] }),
    );
    expect(projectLog(log).at(-1)?.content).toEqual([
      result('t1', []),
      result('t2', 'broken', true),
      result('t3', 'The tool failed.', true),
    ]);
  });

  it('gives thinking back to the model as it came', () => {
    const thinking = { type: 'thinking' as const, thinking: 'hm', signature: 'abc' };
    const redacted = { type: 'redacted_thinking' as const, data: 'xyz' };
    const log = logOf(
      user('go'),
      ...replyEvents({ id: 'm1', content: [thinking, redacted, use('t1')] }, 1, [bash]),
    );
    expect(projectLog(log)[1]?.content).toEqual([thinking, redacted, { ...use('t1'), input: {} }]);
    expect(JSON.stringify(log.map(({ body }) => body))).not.toContain('abc');
  });

  it('joins two replies with nothing between them', () => {
    const log = logOf(user('go'), ...reply('m1', 1, text('one')), ...reply('m2', 2, text('two')));
    expect(projectLog(log)[1]?.content).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]);
  });
});
