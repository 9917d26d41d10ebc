import { jsonFault } from '../../../server/body/json-fault.ts';

const noPace = (): undefined => undefined;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/**
 * Every text with the words of orjson 3.11 on it, which the API's own answers quote. Only of half a surrogate pair with a
 * broken escape behind it orjson says another place.
 */
const FAULTS: readonly (readonly [text: string, fault: string])[] = [
  ['', 'Input is a zero-length, empty document: line 1 column 1 (char 0)'],
  [' ', 'input data is empty: line 1 column 1 (char 0)'],
  ['{', 'unexpected end of data: line 1 column 2 (char 1)'],
  ['{"a"', 'unexpected end of data: line 1 column 5 (char 4)'],
  ['{"a":', 'unexpected end of data: line 1 column 6 (char 5)'],
  ['{"a":1', 'unexpected end of data: line 1 column 7 (char 6)'],
  ['{"a":1,', 'unexpected end of data: line 1 column 8 (char 7)'],
  ['{"a":1,}', 'trailing comma is not allowed: line 1 column 7 (char 6)'],
  ['[1,]', 'trailing comma is not allowed: line 1 column 3 (char 2)'],
  ['[1,', 'unexpected end of data: line 1 column 4 (char 3)'],
  ['[1 2]', "unexpected character, expected ',' or ']': line 1 column 4 (char 3)"],
  ['{"a" 1}', "unexpected character, expected ':' after key: line 1 column 6 (char 5)"],
  ['{a:1}', 'unexpected character, expected a string key: line 1 column 2 (char 1)'],
  ["{'a':1}", 'unexpected character, expected a string key: line 1 column 2 (char 1)'],
  ['nul', 'unexpected end of data: line 1 column 4 (char 3)'],
  ['nulx', "invalid literal, expected 'null': line 1 column 1 (char 0)"],
  ['tru', 'unexpected end of data: line 1 column 4 (char 3)'],
  ['NaN', 'unexpected character, expected a JSON value: line 1 column 1 (char 0)'],
  ['Infinity', 'unexpected character, expected a JSON value: line 1 column 1 (char 0)'],
  ['-Infinity', 'no digit after sign: line 1 column 2 (char 1)'],
  ['-', 'unexpected end of data: line 1 column 2 (char 1)'],
  ['01', 'number with leading zero is not allowed: line 1 column 1 (char 0)'],
  ['1.', 'unexpected end of data: line 1 column 3 (char 2)'],
  ['1e', 'unexpected end of data: line 1 column 3 (char 2)'],
  ['1e999', 'number is infinity when parsed as double: line 1 column 1 (char 0)'],
  ['"abc', 'unexpected end of data: line 1 column 5 (char 4)'],
  ['"a\u0001b"', 'unexpected control character in string: line 1 column 3 (char 2)'],
  ['"\\x"', 'invalid escaped sequence in string: line 1 column 2 (char 1)'],
  ['"\\u12"', 'invalid escaped sequence in string: line 1 column 2 (char 1)'],
  ['"\\ud800"', 'no low surrogate in string: line 1 column 2 (char 1)'],
  ['"\\ud800\\u0041"', 'invalid low surrogate in string: line 1 column 2 (char 1)'],
  ['"\\udc00"', 'invalid high surrogate in string: line 1 column 2 (char 1)'],
  ['"\\u123', 'unexpected end of data: line 1 column 7 (char 6)'],
  ['1 2', 'unexpected content after document: line 1 column 3 (char 2)'],
  ['{} x', 'unexpected content after document: line 1 column 4 (char 3)'],
  ['[}', 'unexpected character, expected a JSON value: line 1 column 2 (char 1)'],
  ['{]', 'unexpected character, expected a string key: line 1 column 2 (char 1)'],
  ['\n\n  {"a": x}', 'unexpected character, expected a JSON value: line 3 column 9 (char 10)'],
  ['"é" x', 'unexpected content after document: line 1 column 5 (char 4)'],
  ['"\n"', 'unexpected control character in string: line 1 column 2 (char 1)'],
  ['undefined', 'unexpected character, expected a JSON value: line 1 column 1 (char 0)'],
  ['{"a":1 "b":2}', "unexpected character, expected ',' or '}': line 1 column 8 (char 7)"],
  ['+1', 'no digit after sign: line 1 column 1 (char 0)'],
  ['.5', 'no digit after sign: line 1 column 1 (char 0)'],
  ['0x10', 'unexpected content after document: line 1 column 2 (char 1)'],
  ['[', 'unexpected end of data: line 1 column 2 (char 1)'],
  ['"', 'unexpected end of data: line 1 column 2 (char 1)'],
  ['{"a":tru}', "invalid literal, expected 'true': line 1 column 6 (char 5)"],
  ['// x\n{}', 'unexpected character, expected a JSON value: line 1 column 1 (char 0)'],
  ['"é€😀" x', 'unexpected content after document: line 1 column 7 (char 6)'],
  ['["é€😀",\n "é", x]', 'unexpected character, expected a JSON value: line 2 column 7 (char 14)'],
  ['-01', 'number with leading zero is not allowed: line 1 column 2 (char 1)'],
  ['[1.x]', 'no digit after decimal point: line 1 column 4 (char 3)'],
  ['[1ex]', 'no digit after exponent sign: line 1 column 4 (char 3)'],
  ['[1e+]', 'no digit after exponent sign: line 1 column 5 (char 4)'],
  ['[1e+x]', 'no digit after exponent sign: line 1 column 5 (char 4)'],
  ['[-x]', 'no digit after sign: line 1 column 3 (char 2)'],
  ['[1.e5]', 'no digit after decimal point: line 1 column 4 (char 3)'],
  ['[00]', 'number with leading zero is not allowed: line 1 column 2 (char 1)'],
  ['[-1e999]', 'number is infinity when parsed as double: line 1 column 2 (char 1)'],
  ['{"a":1}}', 'unexpected content after document: line 1 column 8 (char 7)'],
  ['{,}', 'unexpected character, expected a string key: line 1 column 2 (char 1)'],
  ['[,]', 'unexpected character, expected a JSON value: line 1 column 2 (char 1)'],
  ['{"a":,}', 'unexpected character, expected a JSON value: line 1 column 6 (char 5)'],
  ['{"a"::1}', 'unexpected character, expected a JSON value: line 1 column 6 (char 5)'],
  ['["a":1]', "unexpected character, expected ',' or ']': line 1 column 5 (char 4)"],
  ['{"a",1}', "unexpected character, expected ':' after key: line 1 column 5 (char 4)"],
  ['"\\ud800\\u12"', 'invalid escaped sequence in string: line 1 column 8 (char 7)'],
  ['"\\ud800\\n"', 'no low surrogate in string: line 1 column 2 (char 1)'],
  ['"\\u00zz"', 'invalid escaped sequence in string: line 1 column 2 (char 1)'],
  ['"\\', 'unexpected end of data: line 1 column 3 (char 2)'],
  ['"\\u', 'unexpected end of data: line 1 column 4 (char 3)'],
  ['"\\ud8', 'unexpected end of data: line 1 column 6 (char 5)'],
  ['"\\ud800', 'unexpected end of data: line 1 column 8 (char 7)'],
  ['"\\ud800\\', 'unexpected end of data: line 1 column 9 (char 8)'],
  ['"\\ud800\\u', 'unexpected end of data: line 1 column 10 (char 9)'],
  ['"\\ud800\\ud800"', 'invalid low surrogate in string: line 1 column 2 (char 1)'],
  ['tru x', "invalid literal, expected 'true': line 1 column 1 (char 0)"],
  ['[tru', 'unexpected end of data: line 1 column 5 (char 4)'],
  ['[nan]', "invalid literal, expected 'null': line 1 column 2 (char 1)"],
  ['[NaN]', 'unexpected character, expected a JSON value: line 1 column 2 (char 1)'],
  ['[ ', 'unexpected end of data: line 1 column 3 (char 2)'],
  ['{ ', 'unexpected end of data: line 1 column 3 (char 2)'],
  ['[1 ', 'unexpected end of data: line 1 column 4 (char 3)'],
  ['{"a" ', 'unexpected end of data: line 1 column 6 (char 5)'],
  ['{"a": ', 'unexpected end of data: line 1 column 7 (char 6)'],
  ['truex', 'unexpected content after document: line 1 column 5 (char 4)'],
  ['true x', 'unexpected content after document: line 1 column 6 (char 5)'],
  ['[truex]', "unexpected character, expected ',' or ']': line 1 column 6 (char 5)"],
  ['[1x]', "unexpected character, expected ',' or ']': line 1 column 3 (char 2)"],
  ['[1.5.5]', "unexpected character, expected ',' or ']': line 1 column 5 (char 4)"],
  ['  ', 'input data is empty: line 1 column 1 (char 0)'],
  ['\n', 'input data is empty: line 1 column 1 (char 0)'],
  ['[\n1,\n]', 'trailing comma is not allowed: line 2 column 2 (char 3)'],
  ['{"a":1,\n}', 'trailing comma is not allowed: line 1 column 7 (char 6)'],
  ['["\\q"]', 'invalid escaped sequence in string: line 1 column 3 (char 2)'],
  ['[1]]', 'unexpected content after document: line 1 column 4 (char 3)'],
  ['[-', 'unexpected end of data: line 1 column 3 (char 2)'],
  ['[1.', 'unexpected end of data: line 1 column 4 (char 3)'],
  ['[1e', 'unexpected end of data: line 1 column 4 (char 3)'],
  ['\u0000', 'unexpected character, expected a JSON value: line 1 column 1 (char 0)'],
  ['[\u0000]', 'unexpected character, expected a JSON value: line 1 column 2 (char 1)'],
  ['{"a\nb":1}', 'unexpected control character in string: line 1 column 4 (char 3)'],
  ['[1,,2]', 'unexpected character, expected a JSON value: line 1 column 4 (char 3)'],
  ['{"a":1,,}', 'unexpected character, expected a string key: line 1 column 8 (char 7)'],
  ['{"a":1,"b"}', "unexpected character, expected ':' after key: line 1 column 11 (char 10)"],
  [`${'['.repeat(1025)}${']'.repeat(1025)}`, 'depth limit exceeded: line 1 column 1026 (char 1025)'],
];

it.each(FAULTS)('%j', async (text, fault) => {
  expect(await jsonFault(Buffer.from(text), noPace)).toBe(fault);
});

it('says of bytes that are no UTF-8 that they are not', async () => {
  const fault = 'str is not valid UTF-8: surrogates not allowed: line 1 column 1 (char 0)';
  for (const hex of ['ff', '22ff22', '22eda08022', '22c022']) {
    expect(await jsonFault(Buffer.from(hex, 'hex'), noPace)).toBe(fault);
  }
});

it('finds nothing wrong with what is right', async () => {
  const texts = [
    '0',
    '-0.5e-7',
    ' [1, 2.5, true, false, null, "a\\n\\u00e9\\ud83d\\ude00"]\n',
    '{"a": {}, "b": [[]], "": ""}',
    '\ufeff{"a": 1}',
    nested(1024),
    JSON.stringify({ text: 'é😀"\\\n'.repeat(100_000) }),
  ];
  for (const text of texts) expect(await jsonFault(Buffer.from(text), noPace)).toBeNull();
});
