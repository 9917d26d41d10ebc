import { append, interruptedResult, logSummary, pendingToolUses, toolResult } from '../../sessions/index.ts';
import { awaitingConfirmation } from '../../sessions/log/pending.ts';
import type { Store } from '../../store/index.ts';
import { readCounter } from '../support/read-counter.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { confirm, sampleSession, text, uses } from './sample-session.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();

/** A session with so many tool uses, all answered. */
async function sessionWith(store: Store, rounds: number): Promise<Awaited<ReturnType<typeof sampleSession>>> {
  const made = await sampleSession(store);
  const { session } = made;
  for (let round = 0; round < rounds; round++) {
    const names = Array.from({ length: 50 }, () => 'str_replace_editor');
    const ids = await uses(store, made.sessions, session, ...names);
    await appendTo(
      store,
      session,
      `results/${round}`,
      ids.map((id) => toolResult(id, { content: 'x', is_error: false })),
    );
  }
  return made;
}

describe('what a session does with its tool uses', () => {
  it('reads as much of a long log as of a short one', async () => {
    const counted: Record<string, number>[] = [];
    for (const rounds of [1, 40]) {
      const { store, reads } = readCounter(await stores.open());
      const { sessions, session } = await sessionWith(store, rounds);
      const open = await uses(store, sessions, session, 'bash', 'str_replace_editor', 'weather');
      const [bash = '', editor = '', weather = ''] = open;
      const ids = (found: readonly { readonly id: string }[]): readonly string[] => found.map(({ id }) => id);
      const of: Record<string, number> = {};
      const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
        const before = reads.events;
        const done = await work();
        of[name] = reads.events - before;
        return done;
      };
      expect(ids(await measure('pending', () => pendingToolUses(store, session)))).toEqual(open);
      expect(ids(await measure('asked', () => awaitingConfirmation(store, session)))).toEqual([editor]);
      await measure('confirm', () => sessions.events.send(session, confirm(editor, 'allow')));
      await expect(
        measure('again', () => sessions.events.send(session, confirm(editor, 'allow'))),
      ).rejects.toMatchObject({ status: 400 });
      await measure('result', () =>
        append(store, { session, key: 'r', events: [toolResult(bash, { content: 'x', is_error: false })] }),
      );
      await measure('interrupted', () =>
        append(store, { session, key: 'i', events: [editor, weather].map((id) => interruptedResult(id)) }),
      );
      expect(await pendingToolUses(store, session)).toEqual([]);
      counted.push(of);
    }
    expect(counted[1]).toEqual(counted[0]);
    expect(Math.max(...Object.values(counted[0] ?? {}))).toBeLessThan(20);
  });

  it('finds a tool use that was left open long ago', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    const [early = ''] = await uses(store, sessions, session, 'bash');
    const [later = ''] = await uses(store, sessions, session, 'weather');
    await append(store, { session, key: 'words', events: Array.from({ length: 500 }, () => text('x')) });
    await append(store, { session, key: 'r', events: [interruptedResult(later)] });
    expect((await logSummary(store, session)).open_tool_uses).toEqual([early]);
    expect((await pendingToolUses(store, session)).map(({ id }) => id)).toEqual([early]);
  });
});
