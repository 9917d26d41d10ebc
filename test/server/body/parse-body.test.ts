import { parseBody } from '../../../server/body/parse-body.ts';

/** Gives the loop back at every look, and counts how often. */
class Turns {
  count = 0;
  readonly pace = async (): Promise<void> => {
    this.count += 1;
  };
}

const parse = (text: string, turns = new Turns()): Promise<unknown> =>
  parseBody(Buffer.from(text), turns.pace);
const object = (members: number, width = 0): string =>
  `{${Array.from({ length: members }, (_, at) => `"${String(at).padStart(width, 'k')}":1`).join(',')}}`;
const list = (values: readonly string[]): string => `[${values.join(',')}]`;

const TOO_MANY_MEMBERS = {
  status: 413,
  type: 'request_too_large',
  message: 'Request exceeds the maximum of 10000 members of one JSON object',
};
const TOO_MANY_VALUES = {
  status: 413,
  type: 'request_too_large',
  message: 'Request exceeds the maximum of 250000 JSON values',
};

it('26 MiB of keys are refused as soon as they are too many, in turns', async () => {
  const turns = new Turns();
  const text = object(2_500_000, 6);
  expect(text.length).toBeGreaterThan(26 * 1024 * 1024);
  await expect(parse(text, turns)).rejects.toMatchObject(TOO_MANY_MEMBERS);
  expect(turns.count).toBeLessThan(10);
});

it.each([
  ['small', 0],
  ['large', 100],
])('an object in a %s body may have 10,000 members and no more', async (_name, width) => {
  expect(Object.keys((await parse(object(10_000, width))) as object)).toHaveLength(10_000);
  await expect(parse(object(10_001, width))).rejects.toMatchObject(TOO_MANY_MEMBERS);
  await expect(parse(list([object(10_001, width)]))).rejects.toMatchObject(TOO_MANY_MEMBERS);
});

it('a body may hold 250,000 values, whatever they are', async () => {
  await expect(parse(list(Array<string>(250_001).fill('"ab"')))).rejects.toMatchObject(TOO_MANY_VALUES);
  await expect(parse(list(Array<string>(600_000).fill('1')))).rejects.toMatchObject(TOO_MANY_VALUES);
  const members = list(Array<string>(30_000).fill(object(10)));
  await expect(parse(members)).rejects.toMatchObject(TOO_MANY_VALUES);
  expect(await parse(list(Array<string>(240_000).fill('"ab"')))).toHaveLength(240_000);
});

it('32 MB of messages with pictures are far below, as is a long conversation', async () => {
  const turns = new Turns();
  const picture = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${'A'.repeat(400_000)}"}}`;
  const text = `{"role":"user","content":${list(Array<string>(75).fill(picture))}}`;
  expect(await parse(text, turns)).toMatchObject({ role: 'user' });
  const turn = `{"role":"user","content":[{"type":"text","text":"${'x'.repeat(200)}"}]}`;
  expect(await parse(list(Array<string>(40_000).fill(turn)), turns)).toHaveLength(40_000);
  expect(turns.count).toBeGreaterThan(100);
});
