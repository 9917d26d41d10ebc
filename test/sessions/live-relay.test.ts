import { LiveRelay } from '../../sessions/replies/live-relay.ts';
import { LiveReplies } from '../../sessions/replies/live-replies.ts';
import type { LivePart } from '../../sessions/replies/live-part.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { temporaryStores } from '../store/temporary-store.ts';

const said = (text: string): LivePart => ({
  of: ['agent.message'],
  event: {
    type: 'event_delta',
    event_id: 'sevt_1',
    delta: { type: 'content_delta', index: 0, content: { type: 'text', text } },
  },
});

const textOf = (parts: readonly LivePart[]): string =>
  parts
    .map(({ event }) =>
      event.type === 'event_delta' && event.delta.type === 'content_delta' ? event.delta.content.text : '',
    )
    .join('');

/** A worker and two servers, each a process of its own to the others: they share the database alone. */
describeWithPostgres('live replies of another process', () => {
  const stores = temporaryStores('postgres');
  const relays: LiveRelay[] = [];
  let worker: LiveReplies;
  let server: LiveReplies;
  let other: LiveReplies;

  beforeAll(async () => {
    const dir = stores.dir();
    [worker, server, other] = await Promise.all([process(dir), process(dir), process(dir)]);
  });
  afterAll(() => relays.forEach((relay) => relay.close()));

  async function process(dir: string): Promise<LiveReplies> {
    const { relay } = await stores.open({ dir });
    const live = new LiveReplies();
    if (relay === null) throw new Error('this store has no relay');
    relays.push(new LiveRelay(live, relay));
    return live;
  }

  /** Follows a session until its reply reads so; answers what was read last. */
  async function read(live: LiveReplies, session: string, wanted: string): Promise<string> {
    for (;;) {
      const text = await new Promise<string>((resolve) => {
        const end = live.subscribe(session, look);
        function look(): void {
          const seen = textOf(live.current(session)?.parts ?? []);
          if (seen.length < wanted.length) return;
          end();
          resolve(seen);
        }
        look();
      });
      if (text.length >= wanted.length) return text;
    }
  }

  test('a stream sees what the model has written and goes on to write, from the start', async () => {
    const writer = worker.begin('sesn_1', 'sevt_start');
    writer.add(said('Hello, '));
    const seen = read(server, 'sesn_1', 'Hello, world');
    const alsoSeen = read(other, 'sesn_1', 'Hello, world');
    writer.add(said('world'));
    expect(await Promise.all([seen, alsoSeen])).toEqual(['Hello, world', 'Hello, world']);
    writer.end();
  });

  test('one who comes later is told all, and nobody anything twice', async () => {
    const writer = worker.begin('sesn_2', 'sevt_start');
    const long = '☃'.repeat(20_000);
    const early = server.subscribe('sesn_2', () => undefined);
    writer.add(said(long));
    expect(await read(server, 'sesn_2', long)).toBe(long);
    expect(await read(other, 'sesn_2', long)).toBe(long);
    writer.add(said('!'));
    expect(await read(server, 'sesn_2', `${long}!`)).toBe(`${long}!`);
    early();
    writer.end();
  });

  test('what has ended, and what nobody follows, is held by nobody', async () => {
    const writer = worker.begin('sesn_3', 'sevt_start');
    const end = server.subscribe('sesn_3', () => undefined);
    writer.add(said('short'));
    await read(server, 'sesn_3', 'short');
    end();
    writer.end();
    expect(server.current('sesn_3')).toBeUndefined();
    expect(server.held).toBe(0);
    expect(other.current('sesn_3')).toBeUndefined();
  });
});
