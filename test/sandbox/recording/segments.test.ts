import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScreenRecorder } from '../../../sandbox/daemon/recording/screen-recorder.ts';
import { Segments } from '../../../sandbox/daemon/recording/segments.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'steadyhand-recordings-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('the oldest segments go when all are too large, the active one never', () => {
  const segments = new Segments(folder, 100);
  for (const size of [60, 0, 30, 30, 300]) {
    const file = segments.begin(1_000);
    writeFileSync(file, '');
    truncateSync(file, size);
    if (size < 300) segments.end();
  }
  const numbers = (): readonly number[] => segments.list().map(({ number }) => number);
  segments.trim();
  // The empty one went at once, and its number to the next.
  expect(segments.list()).toMatchObject([{ number: 4, size_bytes: 300, active: true }]);
  segments.end();
  expect(numbers()).toEqual([]);
});

test('keeps what fits, in order', () => {
  const segments = new Segments(folder, 100);
  for (const size of [60, 30, 30]) {
    const file = segments.begin(1_000);
    writeFileSync(file, '');
    truncateSync(file, size);
    segments.end();
  }
  writeFileSync(join(folder, 'on'), '');
  expect(segments.list()).toMatchObject([
    { number: 2, size_bytes: 30, active: false, started_at: '1970-01-01T00:00:01.000Z' },
    { number: 3, size_bytes: 30, active: false },
  ]);
});

test('without ffmpeg there is no recording, and that is said', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = folder;
  try {
    const log = { info: () => undefined, error: () => undefined };
    const recorder = new ScreenRecorder({ folder: join(folder, 'recordings'), display: () => null, log });
    await expect(recorder.start()).rejects.toThrow('ffmpeg is not installed');
    expect(recorder.state()).toMatchObject({ status: 'stopped', error: null, segments: [] });
    expect(existsSync(join(folder, 'recordings'))).toBe(false);
  } finally {
    process.env['PATH'] = path;
  }
});
