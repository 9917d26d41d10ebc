import { RequestSplitter, type SplitRequest, type SplitRest } from '../../batches/request-splitter.ts';
import { seeded } from '../support/seeded.ts';

interface Taken {
  readonly requests: readonly SplitRequest[];
  readonly rest: SplitRest;
}

/** Splits a text that arrives in pieces of these sizes. */
function split(text: string | Uint8Array, sizeOf: () => number = () => 64 * 1024): Taken {
  const bytes = Buffer.from(text);
  const splitter = new RequestSplitter();
  const requests: SplitRequest[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = Math.max(1, sizeOf());
    requests.push(...splitter.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return { requests, rest: splitter.end() };
}

const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString();

const shown = ({ requests }: Taken): unknown =>
  requests.map(({ position, customId, params, extra }) => ({
    position,
    customId: textOf(customId),
    params: textOf(params),
    ...(extra === undefined ? {} : { extra }),
  }));

function refusal(text: string, size = 64 * 1024): string {
  try {
    split(text, () => size);
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
}

describe('the requests of a body', () => {
  it('are told apart wherever the pieces of the body end', () => {
    const body = ` {"betas" : ["a\\u002c}"] , "requests":[
      {"custom_id":"one","params":{"model":"m","messages":[{"role":"user","content":"br[a]ck{e}ts \\" \\\\"}],"n":-1.5e+3}},
      {"params": {} , "custom_id": "tw\\u006f"},{"custom_id":3,"params":[1,true,null,false,0.25]}, {}
    ] } `;
    const expected = [
      {
        position: 0,
        customId: '"one"',
        params: '{"model":"m","messages":[{"role":"user","content":"br[a]ck{e}ts \\" \\\\"}],"n":-1.5e+3}',
      },
      { position: 1, customId: '"tw\\u006f"', params: '{}' },
      { position: 2, customId: '3', params: '[1,true,null,false,0.25]' },
      { position: 3, customId: undefined, params: undefined },
    ];
    const random = seeded(6);
    const sizes = [() => 1e9, () => 1, () => 2, () => 7];
    for (let n = 0; n < 20; n += 1) sizes.push(() => random() * 30);
    for (const sizeOf of sizes) {
      const taken = split(body, sizeOf);
      expect(shown(taken)).toEqual(expected);
      expect(taken.rest.hasRequests).toBe(true);
      expect(textOf(taken.rest.betas)).toBe('["a\\u002c}"]');
    }
  });

  it('keep names that only look like those of a batch inside of params', () => {
    const params = '{"requests":[{"custom_id":"x"}],"params":{"betas":[]},"custom_id":"y"}';
    const taken = split(`{"requests":[{"custom_id":"a","params":${params}}]}`, () => 3);
    expect(shown(taken)).toEqual([{ position: 0, customId: '"a"', params }]);
  });

  it('name the first field that does not belong to them, whatever it holds', () => {
    const taken = split(
      '{"requests":[{"x":{"custom_id":[1,{"params":2}]},"custom_id":"a","y":1,"params":{}}]}',
    );
    expect(shown(taken)).toEqual([{ position: 0, customId: '"a"', params: '{}', extra: 'x' }]);
  });

  it.each([
    ['', 'The request body is not valid JSON: Input is a zero-length, empty document, at byte 0'],
    ['[]', 'Input should be a valid dictionary or object to extract fields from'],
    ['12', 'Input should be a valid dictionary or object to extract fields from'],
    ['{"requests":{}}', 'requests: Input should be a valid list'],
    ['{"requests":"all"}', 'requests: Input should be a valid list'],
    ['{"requests":[],"requests":[]}', 'requests: Input should be given once'],
    [
      '{"requests":[{},7]}',
      'requests.1: Input should be a valid dictionary or object to extract fields from',
    ],
    ['{"requests":[],"stream":[true]}', 'stream: Extra inputs are not permitted'],
    ['{"requests":[]', 'The request body is not valid JSON: unexpected end of data, at byte 14'],
    ['{"requests":[]}}', 'The request body is not valid JSON: unexpected content after document, at byte 15'],
    [
      `{"requests":[${'['.repeat(2000)}`,
      'requests.0: Input should be a valid dictionary or object to extract fields from',
    ],
    [
      `{"requests":[{"params":${'['.repeat(2000)}`,
      'The request body is not valid JSON: depth limit exceeded, at byte 1045',
    ],
    [`{"requests":[{"custom_id":"${'x'.repeat(70_000)}"}]}`, 'requests.0.custom_id: larger than 65536 bytes'],
    [`{"${'x'.repeat(2000)}":1}`, 'a field’s name: larger than 1024 bytes'],
  ])('are refused where the body is none: %.40s', (text, message) => {
    expect(refusal(text)).toBe(message);
    expect(refusal(text, 1)).toBe(message);
  });

  it('are no more than 100,000', () => {
    const list = (count: number): string => `{"requests":[${Array(count).fill('{}').join(',')}]}`;
    expect(split(list(100_000)).requests).toHaveLength(100_000);
    expect(refusal(list(100_001))).toBe(
      'requests: List should have at most 100000 items after validation, not 100001',
    );
  });
});

describe('what the splitter takes for JSON', () => {
  const inBody = (value: string): string => `{"requests":[{"params":${value}}]}`;

  function isTaken(text: string, size: number): boolean {
    return !refusal(text, size).startsWith('The request body is not valid JSON');
  }

  function isJson(text: string): boolean {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  const VALUES = [
    '0',
    '-0',
    '01',
    '1.',
    '.5',
    '1.5',
    '-',
    '+1',
    '1e5',
    '1E-5',
    '1e',
    '1e+',
    '0x1',
    '1.5.2',
    '00',
    '-01',
    'true',
    'tru',
    'truex',
    'True',
    'nul',
    'null',
    'false',
    'undefined',
    'NaN',
    'Infinity',
    '""',
    '"a',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\uD83D\\uDE00"',
    '"\\n\\t\\/\\b"',
    '"\t"',
    '"\u0000"',
    '[]',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1,2',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    "{'a':1}",
    '{"a":1,"a":2}',
    '[[[]]]',
    ' 1 ',
    '1 2',
    '[1]]',
    '{}}',
    '//',
    '"\u2028"',
    '"é"',
    '\u00a01',
  ];

  it.each(VALUES)('is what JSON.parse takes: %j', (value) => {
    const text = inBody(value);
    for (const size of [1, 3, 1e9]) expect([text, isTaken(text, size)]).toEqual([text, isJson(text)]);
  });

  it('is what JSON.parse takes, of texts with a character changed, left out or put in', () => {
    const random = seeded(22);
    const body = JSON.stringify({
      requests: [
        {
          custom_id: 'a',
          params: { messages: [{ role: 'user', content: 'é "q" \\ \n' }], n: [1.5e-7, -3, true] },
        },
        { custom_id: 'b', params: { x: null, y: false, z: {} } },
      ],
    });
    const odd = '{}[]:,"\\ 0123-+.eEtfnu\tx\u0007';
    const wrong: unknown[] = [];
    for (let n = 0; n < 4000; n += 1) {
      const at = Math.floor(random() * body.length);
      const other = odd.charAt(Math.floor(random() * odd.length));
      const kind = Math.floor(random() * 3);
      const text = body.slice(0, at) + (kind === 0 ? '' : other) + body.slice(kind === 2 ? at : at + 1);
      const message = refusal(text, 1 + Math.floor(random() * 20));
      const isSyntax = message.startsWith('The request body is not valid JSON');
      // A body that is refused for its shape is left before its end, so nothing is said of what comes after.
      if ((message === 'taken' || isSyntax) && isSyntax === isJson(text)) wrong.push([text, message]);
    }
    expect(wrong).toEqual([]);
  });
});
