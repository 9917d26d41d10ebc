import { formatBytes, formatDuration, formatName, formatRelative } from '../../web/parts/format.ts';

/** Figures as the page writes them. */

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [1500, '1.5 s'],
  [59_949, '59.9 s'],
  [59_990, '1m'],
  [252_000, '4m 12s'],
  [7_500_000, '2h 5m'],
  [7_200_000, '2h'],
  [273_600_000, '3d 4h'],
  [-1500, '-1.5 s'],
  [Infinity, '∞'],
])('%d milliseconds are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [123_456, '123 kB'],
  [1_400_000, '1.4 MB'],
  [5e15, '5000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('a moment is told from now, and by its date when it is more than a week away', () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const at = (seconds: number): string => formatRelative(new Date(now + seconds * 1000), now);
  expect(at(-3)).toBe('now');
  expect(at(-30)).toContain('30');
  expect(at(-59 * 60)).toContain('59');
  expect(at(-5 * 3600)).toContain('5');
  expect(at(-10 * 86_400)).toContain('Jun');
  expect(at(-400 * 86_400)).toContain('2025');
});

test('names become words', () => {
  expect(formatName('model_overloaded')).toBe('Model overloaded');
  expect(formatName('tool_use.running')).toBe('Tool use running');
});
