import { bodyOf, checkLines, linesOfPrompts } from '../../web/batches/create/lines.ts';

/** What is said of each line before a batch is sent. */

const PARAMS = { model: 'script', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
const line = (custom_id: unknown, params: unknown = PARAMS): string => JSON.stringify({ custom_id, params });

async function faultsOf(...lines: readonly string[]): Promise<readonly string[]> {
  const { faults } = await checkLines(new Blob([lines.join('\n')]));
  return faults.map(({ line: number, text }) => `${number} ${text}`);
}

test('lines without fault become the body as they were written; empty ones are passed over', async () => {
  const first = '{ "custom_id": "a", "params": {"model":"m","max_tokens":1,"messages":[1.0e0]} }';
  const { requests, faulty } = await checkLines(new Blob([`${first}\r\n\n`, line('b')]));
  expect(faulty).toBe(0);
  const body = await bodyOf(requests).text();
  expect(body).toContain('1.0e0');
  expect(JSON.parse(body)).toEqual({ requests: [JSON.parse(first), JSON.parse(line('b'))] });
});

test('every fault names its line and its field', async () => {
  expect(
    await faultsOf(
      line('a'),
      line('a'),
      'nothing',
      '[]',
      line('ü'),
      line('b', []),
      line('c', { ...PARAMS, model: '' }),
      line('d', { ...PARAMS, max_tokens: 0 }),
      line('e', { ...PARAMS, messages: [] }),
      line('f', { ...PARAMS, stream: true }),
      '{"custom_id":"g","params":{},"more":1}',
    ),
  ).toEqual([
    '2 custom_id: “a” is the name of line 1 already.',
    expect.stringContaining('3 This is no JSON: '),
    '4 Expected an object with custom_id and params.',
    '5 custom_id: expected 1 to 64 letters, digits, _ or -.',
    '6 params: expected an object, a body of POST /v1/messages.',
    '7 params.model: expected the name of a model.',
    '8 params.max_tokens: expected a whole number above 0.',
    '9 params.messages: expected a list with at least one message.',
    '10 params.stream: a batch streams nothing; leave it out.',
    '11 more: only custom_id and params are expected.',
  ]);
});

test('of many faults the first hundred are told and the rest is counted', async () => {
  const { faults, faulty, requests } = await checkLines(new Blob([`${line('a')}\n`, 'x\n'.repeat(5000)]));
  expect([faults.length, faulty, requests.length]).toEqual([100, 5000, 1]);
});

test('prompts become requests, one a line', async () => {
  const lines = linesOfPrompts({ model: ' m ', maxTokens: '7', system: '', prompts: 'one\n\n two \n' });
  expect(await faultsOf(lines)).toEqual([]);
  expect(lines.split('\n').map((each) => JSON.parse(each) as unknown)).toEqual([
    {
      custom_id: 'request-1',
      params: { model: 'm', max_tokens: 7, messages: [{ role: 'user', content: 'one' }] },
    },
    {
      custom_id: 'request-2',
      params: { model: 'm', max_tokens: 7, messages: [{ role: 'user', content: 'two' }] },
    },
  ]);
});
