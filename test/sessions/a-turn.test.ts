import { eventId } from '../../store/index.ts';
import {
  append,
  base64Loader,
  createSessions,
  END_TURN,
  loadMessages,
  modelRequestEnd,
  modelRequestStart,
  readLog,
  replyEvents,
  statusIdle,
  toolResult,
  undelivered,
  markDelivered,
} from '../../sessions/index.ts';
import { projectLog } from '../../sessions/log/project.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { listed } from './listed.ts';
import { fromModel, fromUser } from '../support/blocks.ts';

const stores = temporaryStores();
const PNG = Buffer.from('not really a picture').toString('base64');

describe('one turn, step by step', () => {
  it('goes from a message to a reply with a tool use, its result and the end', async () => {
    const store = await stores.open();
    const sessions = createSessions({ store });
    const agent = await sessions.agents.create({
      name: 'tester',
      model: 'script',
      tools: [{ type: 'bash_20241022', name: 'bash' }],
    });
    const { id: session } = await sessions.create({ agent: agent.id });
    await sessions.events.send(session, { events: [{ type: 'user.message', content: 'List the files' }] });

    const [message, ...others] = await undelivered(store);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ session, seq: 1, type: 'user.message' });
    await markDelivered(store, [{ session, seq: 1 }]);
    expect(await undelivered(store)).toEqual([]);

    const started = await append(store, {
      session,
      key: 'turn-1/start',
      epoch: 1,
      events: [modelRequestStart()],
    });
    const usage = { input_tokens: 10, output_tokens: 5 };
    const reply = {
      id: 'msg_1',
      content: [
        { type: 'text' as const, text: 'Let me see.', citations: null },
        { type: 'tool_use' as const, id: 'toolu_1', name: 'bash', input: { command: 'ls' } },
      ],
    };
    const { tools } = (await sessions.retrieve(session)).agent;
    const replied = await append(store, {
      session,
      key: 'turn-1/reply',
      epoch: 1,
      usage,
      events: [
        ...replyEvents(reply, started.cursor, tools),
        modelRequestEnd(eventId(session, 'turn-1/start', 0), {
          ...usage,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        }),
      ],
    });
    const use = replied.events.find(({ type }) => type === 'agent.tool_use');
    expect(replied).toMatchObject({ turns: 1, tokens: 15, duplicate: false });

    await append(store, {
      session,
      key: 'turn-1/tool-1',
      epoch: 1,
      sandboxId: 'sbx_1',
      events: [
        toolResult(use?.id ?? '', {
          is_error: false,
          content: [
            { type: 'text', text: 'note.txt' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        }),
      ],
    });
    const end = await append(store, { session, key: 'turn-1/end', epoch: 1, events: [statusIdle(END_TURN)] });

    const log = await readLog(store, session, { cursor: end.cursor });
    expect(await loadMessages(projectLog(log), base64Loader(store.blobs))).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'List the files' }] },
      fromModel([
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } },
      ]),
      fromUser([
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          is_error: false,
          content: [
            { type: 'text', text: 'note.txt' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
      ]),
    ]);
    expect(await sessions.retrieve(session)).toMatchObject({
      status: 'idle',
      stop_reason: { type: 'end_turn' },
      sandbox_id: 'sbx_1',
      usage: { input_tokens: 10, output_tokens: 5 },
    });
    const { data } = await listed(sessions, session);
    expect(data.map(({ type }) => type)).toEqual([
      'user.message',
      'session.status_running',
      'span.model_request_start',
      'agent.message',
      'agent.tool_use',
      'span.model_request_end',
      'agent.tool_result',
      'session.status_idle',
    ]);
    expect(JSON.stringify(data)).toContain(PNG);
    expect(JSON.stringify(data)).not.toContain('toolu_1');
    expect(JSON.stringify(await store.events.read({ session }))).not.toContain(PNG);
    expect(await store.events.verify(session)).toMatchObject({ ok: true, length: 8 });
  });
});
