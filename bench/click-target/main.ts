import { parseArgs } from 'node:util';
import type { DisplaySize } from '@steadyhand/contracts';
import { openComputer, type TestComputer } from '../../test/sandbox/computer/test-computer.ts';
import { writeResult } from '../lib/figures.ts';
import { casesAt, placesOn, SCREENS, sizeOf, toldSizes } from './cases.ts';

/** Every pointer action at every kind of place on screens of every size, reported by the program that was clicked. */
const { values } = parseArgs({ options: { sizes: { type: 'string', default: SCREENS.join(',') } } });

const CTRL_MASK = 4;
/** Nor is the waiting for a settled screen, which an interrupt ends. Only the wheel stops at it, too. */
const NO_WAIT = AbortSignal.abort();

const rows: { screen: string; told: string; cases: number; misses: number }[] = [];
for (const size of values.sizes.split(',')) {
  const screen = sizeOf(size);
  const computer = await openComputer(screen);
  // The pictures are not what is tested here, and most of the time.
  computer.display.capture = () => Promise.resolve(new Uint8Array());
  for (const told of toldSizes(screen)) {
    const row = {
      screen: size,
      told: `${told.width}x${told.height}`,
      ...(await run(computer, screen, told)),
    };
    console.log(JSON.stringify(row));
    rows.push(row);
  }
  await computer.close();
}
console.table(rows);
const cases = rows.reduce((sum, row) => sum + row.cases, 0);
const misses = rows.reduce((sum, row) => sum + row.misses, 0);
const result = { unit: 'cases', screens: values.sizes.split(',').length, cases, misses, rows };
writeResult('click-target', result);
console.log(`${cases} cases, ${misses} misses`);
process.exit(misses === 0 ? 0 : 1);

async function run(
  computer: TestComputer,
  screen: DisplaySize,
  told: DisplaySize,
): Promise<{ cases: number; misses: number }> {
  const definition = {
    type: 'computer_20250124',
    display_width_px: told.width,
    display_height_px: told.height,
  };
  /** Within the model's pixel, and on the screen. */
  const hits = (x: number, y: number, [toldX, toldY]: readonly [number, number]): boolean =>
    near(x, (toldX * screen.width) / told.width, screen.width) &&
    near(y, (toldY * screen.height) / told.height, screen.height);
  const places = placesOn(told);
  let cases = 0;
  let misses = 0;
  for (const [n, at] of places.entries()) {
    const other = places[(n + 3) % places.length] ?? at;
    for (const { input, pressed, released, ctrl = false } of casesAt(at, other, n)) {
      computer.target.clear();
      await computer.run('default', input, definition, input['action'] === 'scroll' ? undefined : NO_WAIT);
      const presses = computer.target.events.filter(({ name }) => name === 'ButtonPress');
      const ups = computer.target.events.filter(({ name }) => name === 'ButtonRelease');
      const isRight =
        presses.length === pressed.length &&
        presses.every(
          ({ keycode, rootx = -1, rooty = -1, buttons = 0 }, index) =>
            keycode === pressed[index]?.button &&
            hits(rootx, rooty, pressed[index]?.at ?? at) &&
            ((buttons & CTRL_MASK) !== 0) === ctrl,
        ) &&
        (released === undefined ||
          (ups.length === 1 && hits(ups[0]?.rootx ?? -1, ups[0]?.rooty ?? -1, released)));
      const position = await computer.run('default', { action: 'cursor_position' }, definition);
      const last = input['action'] === 'mouse_move' ? input['coordinate'] : undefined;
      const isThere = !Array.isArray(last) || position.output === `X=${last[0]},Y=${last[1]}`;
      cases += 1;
      if (isRight && isThere) continue;
      misses += 1;
      console.error(JSON.stringify({ screen, told, input, got: computer.target.clicks(), position }));
    }
  }
  return { cases, misses };
}

function near(got: number, wanted: number, side: number): boolean {
  return Math.abs(got - Math.min(wanted, side - 1)) <= 0.5;
}
