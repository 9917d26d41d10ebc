import { bundle, type Child, start } from './child-process.ts';
import type { StoredEvent } from '../../store/index.ts';
import { newSession, temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();
let writer = '';
const children: Child[] = [];

beforeAll(async () => {
  writer = await bundle('store/writer.ts', stores.dir());
});

afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
});

function startWriter(...args: string[]): Child {
  const child = start(writer, ...args);
  children.push(child);
  return child;
}

/** Reads lines until there are so many of them. */
async function take(child: Child, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) {
    const { value, done } = await child.lines.next();
    if (done === true) break;
    lines.push(value);
  }
  return lines;
}

/** The lines that it printed before it died, without one that was cut off. */
async function rest(child: Child): Promise<string[]> {
  const lines: string[] = [];
  for (;;) {
    const { value, done } = await child.lines.next();
    if (done === true) return lines;
    lines.push(value);
  }
}

describe('a writer that is killed', () => {
  it('has kept all that it said it had, nothing half, and its successor goes on', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    const session = await newSession(store);
    const said = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const child = startWriter(dir, session, 'w');
      // The kill comes during its work, after a few random milliseconds.
      (await take(child, 1 + round)).forEach((line) => said.add(line));
      child.process.kill('SIGKILL');
      (await rest(child)).forEach((line) => said.add(line));
      await child.ended;

      const events = await store.events.read({ session });
      const steps = new Map<string, StoredEvent[]>();
      for (const event of events) steps.set(event.key, [...(steps.get(event.key) ?? []), event]);
      for (const key of said) expect(steps.has(key)).toBe(true);
      for (const step of steps.values()) expect(step.map(({ index }) => index)).toEqual([0, 1, 2]);
      const record = await store.sessions.get(session);
      expect(record).toMatchObject({ cursor: events.length, data: { steps: steps.size } });
      expect(await store.events.undelivered()).toHaveLength(events.length);
      expect(await store.events.verify(session)).toMatchObject({ ok: true, length: events.length });
      for (const [first] of steps.values()) {
        expect((await store.blobs.get(first?.payload['hash'] as string)).byteLength).toBeGreaterThan(50_000);
      }
    }
    expect(said.size).toBeGreaterThan(8);
  });
});

describe('several processes on one folder', () => {
  it('write into one log without a gap, and are heard of here', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir, pollMs: 5 });
    const session = await newSession(store);
    let rings = 0;
    const unsubscribe = store.events.subscribe(session, () => (rings += 1));
    const writers = ['a', 'b'].map((name) => startWriter(dir, session, name));
    for (let n = 0; n < 20; n += 1) {
      await store.events.append({ session, key: `own/${n}`, events: [{ type: 't', payload: { n } }] });
    }
    const [a = [], b = []] = await Promise.all(writers.map((child) => take(child, 20)));
    for (const child of writers) child.process.kill('SIGKILL');
    await Promise.all(writers.map(({ ended }) => ended));
    unsubscribe();

    const events = await store.events.read({ session });
    const keys = new Set(events.map(({ key }) => key));
    for (const key of [...a, ...b, 'own/0', 'own/19']) expect(keys).toContain(key);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await store.events.verify(session)).toMatchObject({ ok: true });
    expect(rings).toBeGreaterThan(20);
  });

  it('rings for what another process appends and deletes, and only for the sessions meant', async () => {
    const dir = stores.dir();
    const here = await stores.open({ dir, pollMs: 5 });
    const there = await stores.open({ dir, pollMs: 5 });
    const rung: string[] = [];
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        waiting = resolve;
      });
    let waiting = (): void => undefined;
    for (const id of ['sesn_1', 'sesn_2', 'sesn_3']) await newSession(here, id);
    for (const id of ['sesn_1', 'sesn_2']) {
      here.events.subscribe(id, () => {
        rung.push(id);
        waiting();
      });
    }
    const append = (session: string, key: string): Promise<unknown> =>
      there.events.append({ session, key, events: [{ type: 't', payload: {} }] });
    let ring = next();
    await append('sesn_3', 'a');
    await append('sesn_2', 'a');
    await ring;
    ring = next();
    await append('sesn_1', 'a');
    await ring;
    ring = next();
    await there.sessions.delete('sesn_2');
    await ring;
    expect(rung).toEqual(['sesn_2', 'sesn_1', 'sesn_2']);
  });

  it('hear nothing once they have stopped listening, and each listener is its own', async () => {
    const store = await stores.open({ pollMs: 5 });
    const session = await newSession(store);
    const rung: string[] = [];
    const listener = (): void => void rung.push('same');
    const [first, second] = [
      store.events.subscribe(session, listener),
      store.events.subscribe(session, listener),
    ];
    const append = async (key: string): Promise<void> => {
      await store.events.append({ session, key, events: [{ type: 't', payload: {} }] });
      await new Promise(setImmediate);
    };
    await append('a');
    expect(rung).toHaveLength(2);
    first();
    first();
    await append('b');
    expect(rung).toHaveLength(3);
    // A step that was recorded before changes nothing, so no listener is called.
    await append('b');
    expect(rung).toHaveLength(3);
    second();
    await append('c');
    expect(rung).toHaveLength(3);
    store.events.subscribe(session, listener);
    await append('d');
    expect(rung).toHaveLength(4);
  });

  it('open a new folder at the same moment', async () => {
    const dir = stores.dir();
    const writers = ['a', 'b', 'c'].map((name) => startWriter(dir, 'sesn_1', name));
    const first = await Promise.all(writers.map((child) => take(child, 1)));
    for (const child of writers) child.process.kill('SIGKILL');
    expect(first.flat()).toEqual(['a/0', 'b/0', 'c/0']);
  });
});
