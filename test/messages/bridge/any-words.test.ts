import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import { COMPUTER_FORMS } from '../../../messages/actions/computer-forms.ts';
import { decodeComputer } from '../../../messages/actions/decode-computer.ts';
import type { ContentBlockParam, MessageParam, ToolUseBlock } from '../../../messages/api/api-types.ts';
import { withBridge } from '../../../messages/bridge/bridge.ts';
import { collectMessage } from '../../../messages/stream/collect-message.ts';
import type { ComputerGeneration } from '../../../messages/tools/generations.ts';
import { PAIRS } from '../actions/arbitrary.ts';
import { blocksOf, eventsIn, messageOf, modelOf, options, requestOf, taking, type Said } from './support.ts';
import { toolResult } from '../../support/blocks.ts';

/** Models write what they like. Whatever it is, the client gets what its tools have an answer to, or nothing of it. */

const FIELDS = [
  'action coordinate start_coordinate text key duration repeat region scroll_direction scroll_amount command path',
  'file_text old_str new_str insert_text insert_line view_range INVALID_JSON restart other',
].flatMap((fields) => fields.split(' '));
const value = fc.oneof(
  fc.constantFrom(...COMPUTER_FORMS.computer_toolset_20260801.actions),
  fc.constantFrom('view', 'create', 'str_replace', 'insert', 'undo_edit', 'down', 'ctrl', 'fly'),
  fc.tuple(fc.integer({ min: -1, max: 9 }), fc.integer({ min: -1, max: 9 })),
  fc.integer({ min: -1, max: 400 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const input = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
);
const names = ['computer', 'bash', 'str_replace_editor', 'str_replace_based_edit_tool', 'mine', ''].concat(
  COMPUTER_FORMS.computer_toolset_20260801.actions,
);
const use = fc
  .tuple(fc.constantFrom(...names), input, fc.constantFrom(undefined, null, 'computer', 'browser'))
  .map(([name, given, set]) => ({
    type: 'tool_use',
    name,
    input: given,
    ...(set === undefined ? {} : { toolset_name: set }),
  }));
const uses = fc
  .array(use, { minLength: 1, maxLength: 3 })
  .map((all): Said[] => all.map((each, index) => ({ ...each, id: `toolu_${index}` })));

/** Whether a client's computer tool has something to say to a use, be it an error of its own. */
function isComputers(generation: ComputerGeneration, { name, toolset_name: set }: ToolUseBlock): boolean {
  return generation === 'computer_toolset_20260801' ? set === 'computer' : name === 'computer' && set == null;
}

describe.each(PAIRS.filter(([upstream, client]) => upstream !== client))('%s to %s', (upstream, client) => {
  it('any reply comes through or is refused, streamed or not', async () => {
    await assertAsyncProperty(40, uses, async (said) => {
      const done: Said = { type: 'text', text: 'Done.', citations: null };
      const model = modelOf(messageOf(said), messageOf([done]));
      const reply = await withBridge(model, taking(upstream)).reply(requestOf(taking(client)), options);
      const own = reply.content
        .filter((block) => block.type === 'tool_use')
        .filter((block) => isComputers(client, block));
      const known = COMPUTER_FORMS[client];
      for (const block of own) {
        expect(block.id).toMatch(/^[a-zA-Z0-9_-]+$/);
        // What the client can read as an action, the model meant as one: its own input was right too.
        const { action: named, ...rest } = Object(block.input) as Record<string, unknown>;
        const call = known.toolset
          ? { name: block.name, input: block.input as Record<string, unknown> }
          : { name: String(named), input: rest };
        const original = said.find(({ id }) => block.id.startsWith(String(id)));
        const { action: asked, ...others } = Object(original?.['input']) as Record<string, unknown>;
        const meant = COMPUTER_FORMS[upstream].toolset
          ? {
              name: String(original?.['name']),
              input: Object(original?.['input']) as Record<string, unknown>,
            }
          : { name: String(asked), input: others };
        const readable = decodeComputer(known, call).action !== undefined;
        const wasRight = decodeComputer(COMPUTER_FORMS[upstream], meant).action !== undefined;
        expect(readable && !wasRight).toBe(false);
      }
      const streaming = withBridge(modelOf(messageOf(said), messageOf([done])), taking(upstream));
      const events = await eventsIn(streaming.stream(requestOf(taking(client)), options));
      const streamed = await collectMessage(events);
      // A stream has no words for input that is no object, which the API never gives.
      const isWhole = said.every(
        ({ input: given }) => given !== null && typeof given === 'object' && !Array.isArray(given),
      );
      expect(isWhole ? streamed : reply).toEqual(reply);
    });
  });

  it('any history goes up with its results, and the same twice', async () => {
    await assertAsyncProperty(40, uses, async (said) => {
      const model = modelOf(messageOf([]));
      const provider = withBridge(model, taking(upstream));
      const results = said.map(({ id }): ContentBlockParam => toolResult(String(id), 'x'));
      const messages: MessageParam[] = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: said as unknown as ContentBlockParam[] },
        { role: 'user', content: results },
      ];
      await provider.reply(requestOf(taking(client), messages), options);
      await provider.reply(requestOf(taking(client), messages), options);
      const [first, second] = model.asked;
      expect(second).toEqual(first);
      const [, assistant, answer] = first?.messages ?? [];
      const idsOf = (message: MessageParam | undefined, field: 'id' | 'tool_use_id'): unknown[] =>
        (blocksOf(message) as unknown as Record<string, unknown>[]).map((block) => block[field]);
      expect(idsOf(answer, 'tool_use_id')).toEqual(idsOf(assistant, 'id'));
    });
  });
});
