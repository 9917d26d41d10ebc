import { bundle, type Child, start } from '../child-process.ts';
import type { StoredEvent } from '../../../store/index.ts';
import { describeStores, newSession } from '../temporary-store.ts';

describeStores((stores) => {
  let writer = '';
  const children: Child[] = [];
  /** Each round starts a process and kills it. */
  const rounds = stores.kind === 'sqlite' ? 8 : 4;

  beforeAll(async () => {
    writer = await bundle('store/writer.ts', stores.dir());
  });

  afterAll(async () => {
    for (const child of children) child.process.kill('SIGKILL');
    await Promise.all(children.map(({ ended }) => ended));
  });

  async function startWriter(dir: string, session: string, name: string): Promise<Child> {
    const url = stores.kind === 'postgres' ? [await stores.url(dir)] : [];
    const child = start(writer, dir, session, name, ...url);
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
      for (let round = 0; round < rounds; round += 1) {
        const child = await startWriter(dir, session, 'w');
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
          expect((await store.blobs.get(first?.payload['hash'] as string)).byteLength).toBeGreaterThan(
            50_000,
          );
        }
      }
      expect(said.size).toBeGreaterThan(rounds);
    });
  });

  describe('several processes on one store', () => {
    it('write into one log without a gap, and are heard of here', async () => {
      const dir = stores.dir();
      const store = await stores.open({ dir, pollMs: 5 });
      const session = await newSession(store);
      let rings = 0;
      const unsubscribe = store.events.subscribe(session, () => (rings += 1));
      const writers = await Promise.all(['a', 'b'].map((name) => startWriter(dir, session, name)));
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

    it('open a new store at the same moment', async () => {
      const dir = stores.dir();
      const writers = await Promise.all(['a', 'b', 'c'].map((name) => startWriter(dir, 'sesn_1', name)));
      const first = await Promise.all(writers.map((child) => take(child, 1)));
      for (const child of writers) child.process.kill('SIGKILL');
      expect(first.flat()).toEqual(['a/0', 'b/0', 'c/0']);
    });
  });
});
