import { InvalidRequestError } from '@steadyhand/contracts';
import { parseMessageRequest } from '../../../messages/index.ts';
import { assertProperty, fc } from '../../support/fast-check.ts';
import { COMPUTER_USE, png, TOOLS, userSays } from '../support.ts';
import { toolResult, fromModel, fromUser } from '../../support/blocks.ts';

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;

/** A body that uses most of the API. */
const body: Json = JSON.parse(
  JSON.stringify({
    model: 'script',
    max_tokens: 4096,
    system: [{ type: 'text', text: 'Be kind.' }],
    system_prompt: 'Be brief.',
    tools: [
      ...TOOLS,
      {
        name: 'f',
        description: 'd',
        input_schema: { type: 'object', properties: { a: {} }, required: ['a'] },
      },
    ],
    tool_choice: { type: 'tool', name: 'f' },
    stop_sequences: ['END'],
    thinking: { type: 'disabled' },
    metadata: { user_id: 'u' },
    messages: [
      userSays('go'),
      fromModel([{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } }]),
      fromUser([
        toolResult('toolu_1', [
          { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(9, 9) } },
        ]),
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'b' }] } },
      ]),
    ],
  }),
) as Json;

/** Every place in the body. */
function places(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => places(item, [...path, index]))
    : Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]));
  return [path, ...inside];
}

function replaced(value: Json, [step, ...rest]: (string | number)[], by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  const object = value as { [key: string]: Json };
  return { ...object, [step]: replaced(object[step] ?? null, rest, by) };
}

const odd = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<Json>,
  fc.constantFrom<Json>('', 'constructor', '__proto__', 'toString', -1, 1e308, [], {}, null, true),
  fc.constantFrom<Json>(
    { type: 'constructor' },
    { type: '__proto__' },
    { type: null },
    [{ type: 'text' }],
    [[]],
  ),
);

it('is taken before anything is changed', () => {
  expect(() => parseMessageRequest(body, { betas: [COMPUTER_USE] })).not.toThrow();
});

/** A text of the validator's own would be none of the API's. */
const FOREIGN = /Invalid input|Invalid option|Too (small|big)|Unrecognized|undefined/;

function refusalOf(changed: Json): unknown {
  try {
    parseMessageRequest(changed, { betas: [COMPUTER_USE] });
    return null;
  } catch (error) {
    return error;
  }
}

it('is either taken or refused with a text of the API, whatever stands at any place', () => {
  assertProperty(1000, fc.constantFrom(...places(body)), odd, (path, value) => {
    const refusal = refusalOf(replaced(body, path, value));
    const isOfTheApi = refusal instanceof InvalidRequestError && !FOREIGN.test(refusal.message);
    expect(refusal === null || isOfTheApi).toBe(true);
  });
});

it('does not take a field for one of its own because every object has it', () => {
  const text = JSON.stringify(body);
  for (const field of ['__proto__', 'constructor', 'toString']) {
    const parsed: unknown = JSON.parse(text.replace('{', `{"${field}": 1,`));
    expect(() => parseMessageRequest(parsed, { betas: [COMPUTER_USE] })).toThrow(
      `${field}: Extra inputs are not permitted`,
    );
  }
});

it('may be very deep without harm', () => {
  let deep: Json = {};
  for (let depth = 0; depth < 5000; depth += 1) deep = { a: deep };
  const path = ['messages', 1, 'content', 0, 'input'];
  expect(() => parseMessageRequest(replaced(body, path, deep), { betas: [COMPUTER_USE] })).not.toThrow();
});
