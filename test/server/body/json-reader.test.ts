import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import { JsonInvalidError, JsonTooLargeError, parseJson } from '../../../server/body/json-reader.ts';

/** Counts how often the parser looked whether others want a turn. */
async function parse(text: string | Buffer): Promise<{ readonly value: unknown; readonly looks: number }> {
  let looks = 0;
  const value = await parseJson(typeof text === 'string' ? Buffer.from(text) : text, () => {
    looks += 1;
    return undefined;
  });
  return { value, looks };
}

const REFUSED = 'refused';

function attempt(parseIt: () => string): string {
  try {
    return parseIt();
  } catch {
    return REFUSED;
  }
}

/** Long integers as JSON.parse rounds them. */
function stringify(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? Number(member) : member,
  );
}

test('reads whatever JSON.parse reads, and the same', async () => {
  await assertAsyncProperty(500, fc.jsonValue(), fc.constantFrom(0, 1, '\t'), async (value, indent) => {
    const text = JSON.stringify(value, null, indent);
    const plain: unknown = JSON.parse(text);
    expect(stringify((await parse(text)).value)).toBe(JSON.stringify(plain));
  });
});

test('refuses whatever JSON.parse refuses', async () => {
  const pieces = [
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"a"',
    '1',
    '-',
    '0.5',
    '1e3',
    '01',
    ' ',
    'true',
    'nul',
    '.',
    '\\',
  ];
  await assertAsyncProperty(
    3000,
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }),
    async (parts) => {
      const text = parts.join('');
      const expected = attempt(() => JSON.stringify(JSON.parse(text)));
      const actual = await parse(text).then(
        ({ value }) => stringify(value),
        (error: unknown) => (error instanceof JsonInvalidError ? REFUSED : String(error)),
      );
      expect(actual).toBe(expected);
    },
  );
});

test('a long list of numbers is read in many turns, to the last one', async () => {
  const numbers = Array.from({ length: 300_000 }, (_, index) => index / 7 - 1e4);
  const { value, looks } = await parse(JSON.stringify({ data: numbers, after: [1, 'x', 2] }));
  expect((value as { data: number[] }).data).toEqual(numbers);
  expect((value as { after: unknown[] }).after).toEqual([1, 'x', 2]);
  expect(looks).toBeGreaterThan(50);
});

test('many small lists are read in many turns too', async () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => [index, index + 1]);
  const { value, looks } = await parse(JSON.stringify(rows));
  expect(value).toEqual(rows);
  expect(looks).toBeGreaterThan(20);
});

test('integers that a double cannot hold keep their digits', async () => {
  const { value } = await parse(
    '[9007199254740993, -9223372036854775808, 18446744073709551615, 1.2345678901234567, 3]',
  );
  expect(value).toEqual([
    9007199254740993n,
    -9223372036854775808n,
    18446744073709551615n,
    1.2345678901234567,
    3,
  ]);
  expect((await parse('{"a": 9007199254740993}')).value).toEqual({ a: 9007199254740993n });
});

test('a name of the prototype is a name like any other', async () => {
  const { value } = await parse('{"__proto__": {"polluted": 1}, "toString": 2}');
  expect(Object.keys(value as object)).toEqual(['__proto__', 'toString']);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test.each([
  ['{"a"', "Expecting ':' delimiter", 4],
  ['[1,', 'Expecting value', 3],
  ['[1 2]', "Expecting ',' delimiter", 3],
  ['[1, 2, 0x3]', "Expecting ',' delimiter", 8],
  ['', 'Expecting value', 0],
  ['{a: 1}', 'Expecting property name enclosed in double quotes', 1],
  ['[1] 2', 'Extra data', 4],
  ['["ab', 'Unterminated string starting at', 1],
  ['[NaN]', 'Expecting value', 1],
])('%j: %s at %d', async (text, message, position) => {
  await expect(parse(text)).rejects.toMatchObject({ message, position });
});

test('bounds: depth, values, long texts with escapes', async () => {
  await expect(parse('['.repeat(100_000))).rejects.toBeInstanceOf(JsonTooLargeError);
  await expect(parse(`[${'0,'.repeat(4_000_000)}0]`)).rejects.toBeInstanceOf(JsonTooLargeError);
  await expect(parse(`"${'\\n'.repeat(1_000_000)}"`)).rejects.toBeInstanceOf(JsonTooLargeError);
  const long = 'QUJD'.repeat(1_000_000);
  expect((await parse(`{"data_base64": "${long}"}`)).value).toEqual({ data_base64: long });
});
