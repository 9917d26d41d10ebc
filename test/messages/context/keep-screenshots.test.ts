import { assertProperty, fc } from '../../support/fast-check.ts';
import { keepScreenshots, OMITTED_PICTURE, type MessageParam } from '../../../messages/index.ts';
import { image, step } from './support.ts';

const shot = (n: number): MessageParam[] => step(`t${n}`, { action: 'screenshot' }, [image(`shot${n}`)]);

/** A tool result of the loop as tests draw it: pictures in it, an error, or words alone. */
const steps = fc.array(
  fc.record({ pictures: fc.integer({ min: 0, max: 3 }), fails: fc.boolean(), thinks: fc.boolean() }),
  { minLength: 1, maxLength: 40 },
);

function conversation(
  drawn: readonly { pictures: number; fails: boolean; thinks: boolean }[],
): MessageParam[] {
  const turns: MessageParam[] = [{ role: 'user', content: [{ type: 'text', text: 'go' }, image('own')] }];
  for (const [n, { pictures, fails, thinks }] of drawn.entries()) {
    const parts = Array.from({ length: pictures }, (_, index) => image(`shot${n}.${index}`));
    const [use, result] = step(
      `t${n}`,
      {},
      fails ? 'it failed' : [{ type: 'text', text: 'done' }, ...parts],
      {
        is_error: fails,
      },
    );
    const thought = { type: 'thinking', thinking: `thought ${n}`, signature: 'sig' };
    const content = [...(thinks ? [thought] : []), ...((use?.content ?? []) as object[])];
    turns.push({ role: 'assistant', content } as MessageParam, result as MessageParam);
  }
  return turns;
}

const screenshotsIn = (turns: readonly MessageParam[]): number =>
  JSON.stringify(turns).match(/"data":"shot/g)?.length ?? 0;

it('keeps the newest, at least as many as asked for and less than twice as many', () => {
  assertProperty(100, steps, fc.integer({ min: 1, max: 8 }), (drawn, keep) => {
    const turns = conversation(drawn);
    const sent = keepScreenshots(turns, keep);
    const before = screenshotsIn(turns);
    const after = screenshotsIn(sent);
    expect(after).toBeGreaterThanOrEqual(Math.min(before, keep));
    expect(after).toBeLessThan(2 * keep);
    // Nothing else is changed: put back, each omitted screenshot gives the conversation as it was.
    expect(sent).toHaveLength(turns.length);
    let missing = 0;
    const names = [...JSON.stringify(turns).matchAll(/"data":"(shot[\d.]+)"/g)].map(([, name = '']) => name);
    const restored = JSON.stringify(sent).replaceAll(
      JSON.stringify({ type: 'text', text: OMITTED_PICTURE }),
      () => JSON.stringify(image(names[missing++] ?? '')),
    );
    expect(restored).toBe(JSON.stringify(turns));
    expect(missing).toBe(before - after);
    expect(keepScreenshots(sent, keep)).toEqual(sent);
  });
});

it('a growing conversation begins as it did before, but for once a chunk', () => {
  assertProperty(100, steps, fc.integer({ min: 1, max: 8 }), (drawn, keep) => {
    const turns = conversation(drawn);
    let changes = 0;
    let before: string[] = [];
    for (let length = 1; length <= turns.length; length += 2) {
      const sent = keepScreenshots(turns.slice(0, length), keep).map((turn) => JSON.stringify(turn));
      if (!before.every((turn, index) => turn === sent[index])) changes++;
      before = sent;
    }
    expect(changes).toBeLessThanOrEqual(Math.floor(screenshotsIn(turns) / keep));
  });
});

it('changes the beginning once in as many screenshots as it keeps', () => {
  const turns = Array.from({ length: 40 }, (_, n) => shot(n)).flat();
  const firsts = Array.from(
    { length: 40 },
    (_, n) =>
      JSON.stringify(keepScreenshots(turns.slice(0, 2 * (n + 1)), 10)).match(/"data":"(shot\d+)"/)?.[1],
  );
  expect([...new Set(firsts)]).toEqual(['shot0', 'shot10', 'shot20', 'shot30']);
});

it("leaves errors, the user's own pictures and the client's breakpoints alone", () => {
  const breakpoint = { type: 'ephemeral' };
  const turns: MessageParam[] = [
    { role: 'user', content: [image('own')] },
    ...step('e', {}, [image('shotE')], { is_error: true }),
    ...step('a', {}, [{ ...image('shotA'), cache_control: breakpoint }]),
    ...shot(1),
    ...shot(2),
  ];
  const sent = keepScreenshots(turns, 1);
  expect(sent[0]).toEqual(turns[0]);
  expect(sent[2]).toEqual(turns[2]);
  expect(sent[4]).toEqual(
    step('a', {}, [{ type: 'text', text: OMITTED_PICTURE, cache_control: breakpoint }])[1],
  );
  expect(sent[8]).toEqual(turns[8]);
});

it('gives a turn that has lost its pictures as the same object in the next request', () => {
  const turns: MessageParam[] = [{ role: 'user', content: 'go' }];
  for (let n = 0; n < 5; n++) turns.push(...shot(n));
  const before = keepScreenshots(turns, 2);
  turns.push(...shot(5), ...shot(6));
  const after = keepScreenshots(turns, 2);
  expect(screenshotsIn(before)).toBe(3);
  expect(screenshotsIn(after)).toBe(3);
  before.slice(0, 5).forEach((turn, index) => expect(after[index]).toBe(turn));
});
