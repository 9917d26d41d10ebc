import { BUTTON } from '../../../sandbox/display/mouse.ts';
import { openDisplay } from '../../../sandbox/display/display.ts';
import { openClickTarget } from './click-target.ts';
import { localGuest } from './local-guest.ts';
import { startXvfb } from './xvfb.ts';
import { openedForAll } from '../../support/opened.ts';

const size = { width: 800, height: 600 };

describe('the pointer', () => {
  const xvfb = openedForAll(
    () => startXvfb(size),
    (it) => it.kill(),
  );
  const display = openedForAll(() =>
    openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) }),
  );
  const target = openedForAll(() => openClickTarget(xvfb.socketPath));
  beforeEach(() => target.clear());

  test('moves to the pixel, also where it already is', async () => {
    for (const to of [
      { x: 0, y: 0 },
      { x: 799, y: 599 },
      { x: 12, y: 345 },
      { x: 12, y: 345 },
    ]) {
      await display.mouse.move(to);
      expect(await display.mouse.position()).toEqual(to);
    }
  });

  test('clicks each button where it is', async () => {
    await display.mouse.move({ x: 10, y: 20 });
    for (const button of Object.values(BUTTON)) await display.mouse.click(button);
    await target.sync();
    expect(target.clicks()).toEqual(['1@10,20', '2@10,20', '3@10,20']);
    expect(target.clicks('ButtonRelease')).toEqual(['1@10,20', '2@10,20', '3@10,20']);
  });

  test('a double click comes within the time that toolkits allow, and no button stays down', async () => {
    await display.mouse.click(BUTTON.left, 2);
    await target.sync();
    const [first, second] = target.events.filter(({ name }) => name === 'ButtonPress');
    const gap = (second?.time ?? 0) - (first?.time ?? 0);
    expect(gap).toBeGreaterThanOrEqual(5);
    expect(gap).toBeLessThan(250);
    expect(target.clicks('ButtonRelease')).toHaveLength(2);
  });

  test('a drag presses where it is, moves with the button down, and lets go where it should', async () => {
    await display.mouse.move({ x: 100, y: 100 });
    target.clear();
    await display.mouse.drag({ x: 140, y: 180 });
    await target.sync();
    expect(target.clicks()).toEqual(['1@100,100']);
    expect(target.clicks('ButtonRelease')).toEqual(['1@140,180']);
    const moves = target.events.filter(({ name }) => name === 'MotionNotify');
    expect(moves.length).toBeGreaterThanOrEqual(5);
    for (const move of moves) expect((move.buttons ?? 0) & 0x100).toBe(0x100);
  });
});
