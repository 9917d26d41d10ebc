import { createTimeSlices } from '../../sessions/stream/time-slices.ts';

describe('slices of time', () => {
  it('are given in the order of asking, and the loop goes round once a slice is used up', async () => {
    let clock = 0;
    const slices = createTimeSlices(() => clock);
    const order: string[] = [];
    const piece = (name: string) => (): void => {
      order.push(name);
      clock += 2;
    };
    const done = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => slices.run(piece(name))));
    const rounds = (async () => {
      while (order.length < 7) {
        await new Promise(setImmediate);
        order.push('round');
      }
    })();
    await Promise.all([done, rounds]);
    // A piece takes 2 ms, so that a slice of 5 ms runs three.
    expect(order.join(' ')).toMatch(/^a b c round d e f round g( round)?$/);
  });

  it('go on after a piece that throws', async () => {
    const slices = createTimeSlices();
    const failing = slices.run(() => {
      throw new TypeError('no');
    });
    const next = slices.run(() => 1);
    await expect(failing).rejects.toThrow(new TypeError('no'));
    expect(await next).toBe(1);
  });

  it('take pieces that are asked for by a piece', async () => {
    const slices = createTimeSlices(() => 0);
    const inner = await slices.run(() => slices.run(() => 'inner'));
    expect(inner).toBe('inner');
  });
});
