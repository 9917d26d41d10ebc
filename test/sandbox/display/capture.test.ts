import sharp from 'sharp';
import { openDisplay } from '../../../sandbox/display/display.ts';
import { openClickTarget } from './click-target.ts';
import { localGuest } from './local-guest.ts';
import { startXvfb } from './xvfb.ts';
import { openedForAll } from '../../support/opened.ts';

async function pixels(
  png: Uint8Array,
): Promise<{ at(x: number, y: number): number; width: number; height: number }> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(3);
  return {
    width: info.width,
    height: info.height,
    at: (x, y) => data.readUIntBE((y * info.width + x) * 3, 3),
  };
}

// Sizes whose number of pixels is and is not a multiple of four: the packing works in fours.
describe.each([
  { width: 1024, height: 768 },
  { width: 641, height: 479 },
])('capture at $width x $height', (size) => {
  const xvfb = openedForAll(
    () => startXvfb(size),
    (it) => it.kill(),
  );
  const display = openedForAll(() =>
    openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) }),
  );
  const target = openedForAll(() => openClickTarget(xvfb.socketPath));
  beforeAll(async () => {
    target.fill(0xff8001, 0, 0, 3, 2);
    target.fill(0x0102fe, size.width - 2, size.height - 1, 2, 1);
    await target.sync();
    await display.mouse.move({ x: 300, y: 200 });
  });

  test('every colour stands where it was painted', async () => {
    const shot = await pixels(await display.capture({ pointer: false }));
    expect([shot.width, shot.height]).toEqual([size.width, size.height]);
    expect(shot.at(0, 0)).toBe(0xff8001);
    expect(shot.at(2, 1)).toBe(0xff8001);
    expect(shot.at(3, 1)).toBe(0x204060);
    expect(shot.at(2, 2)).toBe(0x204060);
    expect(shot.at(size.width - 1, size.height - 1)).toBe(0x0102fe);
    expect(shot.at(size.width - 3, size.height - 1)).toBe(0x204060);
    expect(shot.at(300, 200)).toBe(0x204060);
  });

  test('the pointer is drawn where it is, and nowhere else', async () => {
    const [bare, shot] = [
      await pixels(await display.capture({ pointer: false })),
      await pixels(await display.capture()),
    ];
    let near = 0;
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        if (bare.at(x, y) === shot.at(x, y)) continue;
        expect(Math.hypot(x - 300, y - 200)).toBeLessThan(40);
        near++;
      }
    }
    expect(near).toBeGreaterThan(20);
  });

  test('a pointer at the edge is cut off there', async () => {
    await display.mouse.move({ x: size.width - 1, y: size.height - 1 });
    await expect(display.capture()).resolves.toBeDefined();
    await display.mouse.move({ x: 0, y: 0 });
    await expect(display.capture()).resolves.toBeDefined();
    await display.mouse.move({ x: 300, y: 200 });
  });

  test('a part and another size', async () => {
    const part = await pixels(
      await display.capture({ region: { x: 1, y: 1, width: 4, height: 2 }, pointer: false }),
    );
    expect([part.width, part.height]).toEqual([4, 2]);
    expect([part.at(0, 0), part.at(1, 0), part.at(2, 0), part.at(0, 1)]).toEqual([
      0xff8001, 0xff8001, 0x204060, 0x204060,
    ]);
    const half = await pixels(
      await display.capture({ scaleTo: { width: 320, height: 240 }, pointer: false }),
    );
    expect([half.width, half.height]).toEqual([320, 240]);
    expect(half.at(160, 120)).toBe(0x204060);
  });

  test('a window that changes its size does not change what is captured', async () => {
    target.resize(50, 60);
    await target.sync();
    expect((await pixels(await display.capture())).width).toBe(size.width);
    expect(display.size).toEqual(size);
    target.resize(size.width, size.height);
    await target.sync();
  });

  test('captures asked for at once are all whole', async () => {
    const shots = await Promise.all(Array.from({ length: 5 }, () => display.capture({ pointer: false })));
    for (const shot of shots) expect(Buffer.from(shot).equals(shots[0] as Uint8Array)).toBe(true);
  });
});

test('a server of another size is refused', async () => {
  const xvfb = await startXvfb({ width: 640, height: 480 });
  await expect(
    openDisplay({
      socketPath: xvfb.socketPath,
      size: { width: 800, height: 600 },
      guest: localGuest(xvfb.env),
    }),
  ).rejects.toMatchObject({
    name: 'DisplayError',
    code: 'unsupported',
    message: 'the X screen has 640x480 pixels, not 800x600',
  });
  await xvfb.kill();
});
