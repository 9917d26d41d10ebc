import {
  append,
  createFiles,
  LiveReplies,
  modelRequestEnd,
  modelRequestStart,
} from '../../sessions/index.ts';
import type { DeltaType, LivePart } from '../../sessions/replies/live-part.ts';
import { createSessionEvents } from '../../sessions/session-events.ts';
import { createIds, eventId, type Store } from '../../store/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { sampleSession, text } from './sample-session.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();
const USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

interface Followed {
  readonly seen: readonly string[];
  /** Reads until this was seen, and answers all that was read. */
  readonly until: (last: string) => Promise<readonly string[]>;
}

/** A session whose model has been asked, the place of its replies, and a stream of it. */
async function asked(): Promise<{
  store: Store;
  session: string;
  live: LiveReplies;
  startId: string;
  id: string;
  readonly start: (step?: number) => Promise<void>;
  readonly finish: (words: string) => Promise<void>;
  readonly follow: (after: number, deltas?: readonly DeltaType[]) => Followed;
}> {
  const store = await stores.open();
  const { session } = await sampleSession(store);
  const live = new LiveReplies();
  const events = createSessionEvents(store, createFiles({ store, newId: createIds() }), Date.now, live);
  const startId = eventId(session, 'step/1/start', 0);
  return {
    store,
    session,
    live,
    startId,
    id: eventId(session, 'step/1/reply', 0),
    start: async (step = 1) => {
      await append(store, { session, key: `step/${step}/start`, events: [modelRequestStart()] });
    },
    finish: async (words) => {
      await appendTo(store, session, 'step/1/reply', [text(words), modelRequestEnd(startId, USAGE)]);
    },
    follow(after, deltas = ['agent.message']) {
      const seen: string[] = [];
      const hangUp = new AbortController();
      const pages = events.stream(session, after, hangUp.signal, { deltas });
      return {
        seen,
        async until(last) {
          while (!seen.includes(last)) {
            const { value } = await pages.next();
            for (const { json } of value?.events ?? [])
              seen.push(told(JSON.parse(json.map(String).join('')) as Told));
          }
          return seen;
        },
      };
    },
  };
}

interface Told {
  readonly type: string;
  readonly event?: { readonly type: string };
  readonly delta?: {
    readonly content?: { readonly text: string };
    readonly thinking?: string;
    readonly partial_json?: string;
  };
}
const told = ({ type, event, delta }: Told): string => {
  if (event !== undefined) return `start ${event.type}`;
  return delta === undefined ? type : `+${delta.content?.text ?? delta.thinking ?? delta.partial_json}`;
};

const begins = (id: string): LivePart => ({
  of: ['agent.message'],
  event: { type: 'event_start', event: { id, type: 'agent.message' } },
});
const says = (id: string, words: string): LivePart => ({
  of: ['agent.message'],
  event: {
    type: 'event_delta',
    event_id: id,
    delta: { type: 'content_delta', index: 0, content: { type: 'text', text: words } },
  },
});

const ALL = [
  'span.model_request_start',
  'start agent.message',
  '+Hello',
  'agent.message',
  'span.model_request_end',
];

test('a preview comes as it is made, after the start of its request and before its event', async () => {
  const { live, session, startId, id, start, finish, follow } = await asked();
  const { until } = follow(0);
  await start();
  await until('span.model_request_start');
  const writer = live.begin(session, startId);
  writer.add(begins(id));
  writer.add(says(id, 'Hel'));
  await until('+Hel');
  writer.add(says(id, 'lo'));
  await until('+lo');
  writer.end();
  await finish('Hello');
  expect(await until('span.model_request_end')).toEqual([
    'span.model_request_start',
    'start agent.message',
    '+Hel',
    '+lo',
    'agent.message',
    'span.model_request_end',
  ]);
});

test('who comes in the middle is given what was said so far, and who reads late larger pieces', async () => {
  const { live, session, startId, id, start, finish, follow } = await asked();
  const late = follow(0);
  await start();
  const writer = live.begin(session, startId);
  for (const part of [begins(id), says(id, 'He'), says(id, 'll'), says(id, 'o')]) writer.add(part);
  const joining = follow(1);
  expect(await joining.until('+Hello')).toEqual(['start agent.message', '+Hello']);
  await late.until('+Hello');
  writer.end();
  await finish('Hello');
  expect(await late.until('span.model_request_end')).toEqual(ALL);
});

test('a reply that is whole already is told of by its events alone to who has passed them', async () => {
  const { store, live, session, startId, id, start, finish, follow } = await asked();
  const other = follow(0);
  await start();
  const writer = live.begin(session, startId);
  await other.until('span.model_request_start');
  writer.add(begins(id));
  await finish('Hello');
  // Parts of an ended request still arrive: its attempt was given up and does not know it yet.
  writer.add(says(id, 'late'));
  const after = follow(3);
  await append(store, { session, key: 'next', events: [text('next')] });
  expect(await after.until('agent.message')).toEqual(['agent.message']);
});

test('a reply that is asked for again begins its previews again', async () => {
  const { live, session, startId, id, start, follow } = await asked();
  const { until } = follow(0);
  await start();
  const first = live.begin(session, startId);
  first.add(begins(id));
  first.add(says(id, 'lost'));
  await until('+lost');
  const second = live.begin(session, startId);
  first.add(says(id, ' and late'));
  second.add(begins(id));
  second.add(says(id, 'Hello'));
  expect((await until('+Hello')).slice(1)).toEqual([
    'start agent.message',
    '+lost',
    'start agent.message',
    '+Hello',
  ]);
});

test('only what was asked for is sent', async () => {
  const { live, session, startId, id, start, finish, follow } = await asked();
  const [none, thoughts] = [follow(0, []), follow(0, ['agent.thinking.text'])];
  await start();
  await thoughts.until('span.model_request_start');
  const writer = live.begin(session, startId);
  writer.add({
    of: ['agent.thinking', 'agent.thinking.text'],
    event: { type: 'event_start', event: { id: 'sevt_t', type: 'agent.thinking' } },
  });
  writer.add({
    of: ['agent.thinking.text'],
    event: { type: 'event_delta', event_id: 'sevt_t', delta: { type: 'thinking_delta', thinking: 'Hm' } },
  });
  writer.add(begins(id));
  writer.end();
  await thoughts.until('+Hm');
  await finish('Hello');
  expect(await thoughts.until('span.model_request_end')).toEqual([
    'span.model_request_start',
    'start agent.thinking',
    '+Hm',
    'agent.message',
    'span.model_request_end',
  ]);
  expect(await none.until('span.model_request_end')).toEqual([
    'span.model_request_start',
    'agent.message',
    'span.model_request_end',
  ]);
});

test('what is held is bounded, and given up when nobody listens any more', () => {
  const live = new LiveReplies();
  const writer = live.begin('sesn_1', 'sevt_start');
  for (let n = 0; n < 3000; n += 1) writer.add(says('sevt_1', 'x'.repeat(1000)));
  expect(live.held).toBeLessThanOrEqual(1 << 20);
  expect(live.held).toBeGreaterThan(1 << 19);
  const others = Array.from({ length: 200 }, (_, n) => live.begin(`sesn_other_${n}`, 'sevt_start'));
  for (const other of others) for (let n = 0; n < 10; n += 1) other.add(says('sevt_1', 'x'.repeat(100_000)));
  expect(live.held).toBeLessThanOrEqual(64 << 20);
  const leave = live.subscribe('sesn_1', () => {});
  for (const each of [writer, ...others]) each.end();
  expect(live.current('sesn_1')).toBeDefined();
  leave();
  expect(live.held).toBe(0);
});
