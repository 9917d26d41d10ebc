import { pythonRepr, pythonStr, roundHalfEven } from '../../../sandbox/tools/python-text.ts';

// As printed by Python 3.11.
test.each<[value: unknown, text: string]>([
  [null, 'None'],
  [true, 'True'],
  [[1, -2], '[1, -2]'],
  [[1.5, 'a'], "[1.5, 'a']"],
  [["it's"], '["it\'s"]'],
  [['"\''], "['\"\\'']"],
  [['a\n\t\\\u0001\u007f\u00e9\ud800'], "['a\\n\\t\\\\\\x01\\x7f\u00e9\\ud800']"],
  [{ x: 1, y: [null] }, "{'x': 1, 'y': [None]}"],
  ['plain', 'plain'],
  [[], '[]'],
])('%j', (value, text) => {
  expect(pythonStr(value)).toBe(text);
});

test('a text inside is quoted', () => {
  expect(pythonRepr('plain')).toBe("'plain'");
});

test('rounding goes to even', () => {
  expect([0.5, 1.5, 2.5, 2.4999, 2.5001, 3.5, -0.5, -1.5].map(roundHalfEven)).toEqual([
    0, 2, 2, 2, 3, 4, 0, -2,
  ]);
});
