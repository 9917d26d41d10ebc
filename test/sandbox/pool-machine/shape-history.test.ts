import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_PACKAGES } from '../../../sandbox/config.ts';
import { type ComputerShape, DEFAULT_SHAPE } from '../../../sandbox/pool-machine/computer-shape.ts';
import { ShapeHistory } from '../../../sandbox/pool-machine/shape-history.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'steadyhand-shapes-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const failed = (reason: string): never => {
  throw new Error(reason);
};
const opened = (): ShapeHistory => new ShapeHistory(dir, failed);
const wide = (width: number): ComputerShape => ({ ...DEFAULT_SHAPE, display: { width, height: 600 } });

/** What is expected after sandboxes of these widths; 0 stands for one that asks for nothing. */
function after(...widths: readonly number[]): number {
  const history = opened();
  for (const width of widths) history.add(width === 0 ? DEFAULT_SHAPE : wide(width));
  return history.expected.display.width;
}

it.each([
  { widths: [], expected: 1024 },
  { widths: [640], expected: 640 },
  { widths: [0, 640], expected: 1024 },
  { widths: [0, 640, 640], expected: 640 },
  { widths: [640, 800, 640, 800], expected: 640 },
  { widths: [640, 640, 640, 640, 640, 800, 800, 800, 800], expected: 640 },
  { widths: [640, 640, 640, 640, 640, 800, 800, 800, 800, 800], expected: 800 },
])('after $widths $expected is expected', ({ widths, expected }) => {
  expect(after(...widths)).toBe(expected);
});

it('sandboxes with packages are not counted', () => {
  const history = opened();
  history.add({ ...DEFAULT_SHAPE, packages: { ...NO_PACKAGES, apt: ['cowsay'] } });
  expect(history.expected).toEqual(DEFAULT_SHAPE);
});

it('keeps the expected shape over a restart, and begins anew where the file is damaged', () => {
  opened().add(wide(640));
  expect(opened().expected).toEqual(wide(640));
  for (const text of ['', '{"display":', '[]', '{"display":3}']) {
    writeFileSync(join(dir, 'expected-shape.json'), text);
    expect(opened().expected).toEqual(DEFAULT_SHAPE);
  }
});
