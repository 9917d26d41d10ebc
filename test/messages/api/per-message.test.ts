import { type MessageParam, perMessage } from '../../../messages/index.ts';
import { assertProperty, fc } from '../../support/fast-check.ts';
import { fromUser } from '../../support/blocks.ts';

const text = (value: string): MessageParam => ({ role: 'user', content: value });
const picture = (data: string): MessageParam =>
  fromUser([
    {
      type: 'tool_result',
      tool_use_id: 't',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
    },
  ]);

it('finds the same as looking at each, for conversations that grow, are cut and differ in the middle', () => {
  const pool = Array.from({ length: 12 }, (_, n) => (n % 4 === 3 ? picture(`${n}`) : text(`${n}`)));
  const conversations = fc.array(
    fc.record({
      messages: fc.array(fc.constantFrom(...pool), { maxLength: 12 }),
      of: fc.constantFrom('one', 'two'),
    }),
  );
  assertProperty(100, conversations, (asked) => {
    const find = (message: MessageParam, of: string): string => of + JSON.stringify(message);
    const found = perMessage(find);
    for (const { messages, of } of asked) {
      expect(found(messages, of)).toEqual(messages.map((message) => find(message, of)));
    }
  });
});

it('looks at each message once, but for those with bytes and for another model', () => {
  const looked: MessageParam[] = [];
  const found = perMessage((message: MessageParam) => looked.push(message));
  const began = [picture('first'), text('a'), picture('second'), text('b')];
  found(began, 'model');
  expect(looked.splice(0)).toEqual(began);
  const other = [...began, text('c')];
  found(other, 'model');
  expect(looked.splice(0)).toEqual([began[0], began[2], other[4]]);
  found(other, 'another');
  expect(looked.splice(0)).toEqual(other);
});
