import { createAlphabet } from '../../../inference/ocr/alphabet.ts';
import { decodeCtc } from '../../../inference/ocr/ctc.ts';

const keys = ['a', 'b', '字', '）', ')'];
const CLASSES = keys.length + 2;

/** Rows of probabilities: each step has the named classes, and the blank has the rest. */
function steps(...rows: Readonly<Record<number, number>>[]): Float32Array {
  const data = new Float32Array(rows.length * CLASSES);
  for (const [step, row] of rows.entries()) {
    let rest = 1;
    for (const [at, value] of Object.entries(row)) {
      data[step * CLASSES + Number(at)] = value;
      rest -= value;
    }
    data[step * CLASSES] = rest + (row[0] ?? 0);
  }
  return data;
}

test('runs of one class are one character, blanks part equal ones, the last class is the space', () => {
  const data = steps({ 1: 0.9 }, { 1: 0.8 }, {}, { 1: 0.7 }, { 6: 0.6 }, { 2: 0.5001 });
  const { text, score } = decodeCtc(data, 6, CLASSES, keys);
  expect(text).toBe('aa b');
  expect(score).toBeCloseTo((0.9 + 0.7 + 0.6 + 0.5001) / 4, 5);
});

test('nothing but blanks is no text, with score 0', () => {
  expect(decodeCtc(steps({}, {}), 2, CLASSES, keys)).toEqual({ text: '', score: 0 });
  expect(decodeCtc(new Float32Array(0), 0, CLASSES, keys)).toEqual({ text: '', score: 0 });
});

test('in Latin text the full-width form of a sign counts for the sign', () => {
  const data = steps({ 1: 0.9 }, {}, { 4: 0.5, 5: 0.4 });
  const decode = createAlphabet(keys);
  const characters = decode({ data, steps: 3, classes: CLASSES });
  expect(characters.map(({ text }) => text)).toEqual(['a', ')']);
  expect(characters[1]?.probability).toBeCloseTo(0.9, 5);
  expect(characters[1]?.step).toBe(2.5);
  // The plain decoder keeps what the model said.
  expect(decodeCtc(data, 3, CLASSES, keys).text).toBe('a）');
});

test('a doubtful Chinese character among Latin ones gives way, Chinese text stays', () => {
  const decode = createAlphabet(keys);
  const latin = steps({ 1: 0.9 }, { 3: 0.3, 2: 0.28 }, { 1: 0.9 }, { 2: 0.9 });
  expect(
    decode({ data: latin, steps: 4, classes: CLASSES })
      .map(({ text }) => text)
      .join(''),
  ).not.toContain('字');
  const chinese = steps({ 3: 0.9 }, {}, { 3: 0.9 }, { 4: 0.8 });
  expect(
    decode({ data: chinese, steps: 4, classes: CLASSES })
      .map(({ text }) => text)
      .join(''),
  ).toBe('字字）');
});
