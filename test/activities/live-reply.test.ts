import { withPreview } from '../../activities/live-reply.ts';
import { messageEvents, type StreamEvent } from '../../messages/index.ts';
import { LiveReplies } from '../../sessions/index.ts';
import { eventId } from '../../store/index.ts';

const REPLY = {
  type: 'message',
  role: 'assistant',
  id: 'msg_1',
  content: [{ type: 'text', text: 'The password is hunter2.', citations: null }],
  usage: {},
} as never;
const STEP = { session: 'sesn_1', key: 'step/1/reply', startId: 'sevt_start' };

async function* streamOf(events: Iterable<StreamEvent>): AsyncGenerator<StreamEvent, void, undefined> {
  yield* events;
}

async function pass(live: LiveReplies | undefined, data: object): Promise<StreamEvent[]> {
  const given: StreamEvent[] = [];
  const stream = withPreview(
    streamOf(messageEvents(REPLY)),
    { live },
    { agent: { tools: [] }, ...data } as never,
    STEP,
  );
  for await (const event of stream) given.push(event);
  return given;
}

test('a stream is passed on as it is, and shown under the id of the event to come', async () => {
  const live = new LiveReplies();
  live.subscribe('sesn_1', () => {});
  expect(await pass(live, {})).toEqual([...messageEvents(REPLY)]);
  expect(live.current('sesn_1')).toMatchObject({
    startId: 'sevt_start',
    parts: [
      { event: { type: 'event_start', event: { id: eventId('sesn_1', 'step/1/reply', 0) } } },
      { event: { type: 'event_delta' } },
    ],
  });
  expect(await pass(undefined, {})).toEqual([...messageEvents(REPLY)]);
});

test('nothing of a session that has secrets is shown', async () => {
  const live = new LiveReplies();
  live.subscribe('sesn_1', () => {});
  expect(await pass(live, { secrets: [{ name: 'PASSWORD' }] })).toEqual([...messageEvents(REPLY)]);
  expect(live.current('sesn_1')).toBeUndefined();
});

test('a stream that breaks off, or is left, holds nothing', async () => {
  const live = new LiveReplies();
  async function* broken(): AsyncGenerator<StreamEvent, void, undefined> {
    for (const event of messageEvents(REPLY)) {
      yield event;
      if (event.type === 'content_block_delta') throw new Error('cut');
    }
  }
  const stream = withPreview(broken(), { live }, { agent: { tools: [] } } as never, STEP);
  const reading = (async () => {
    for await (const event of stream) expect(event.type).not.toBe('message_stop');
  })();
  await expect(reading).rejects.toThrow('cut');
  expect(live.held).toBe(0);
});
