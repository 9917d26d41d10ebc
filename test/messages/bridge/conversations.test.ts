import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import type { ComputerAction } from '../../../messages/actions/action.ts';
import { COMPUTER_FORMS } from '../../../messages/actions/computer-forms.ts';
import { decodeComputer } from '../../../messages/actions/decode-computer.ts';
import { encodeComputer } from '../../../messages/actions/encode-computer.ts';
import type {
  ContentBlock,
  ContentBlockParam,
  MessageParam,
  ToolUseBlock,
} from '../../../messages/api/api-types.ts';
import { withBridge } from '../../../messages/bridge/bridge.ts';
import { collectMessage } from '../../../messages/stream/collect-message.ts';
import type { ComputerGeneration } from '../../../messages/tools/generations.ts';
import { action, PAIRS } from '../actions/arbitrary.ts';
import { eventsOf } from '../actions/desktop.ts';
import {
  blocksOf,
  computerUse,
  eventsIn,
  messageOf,
  modelOf,
  options,
  requestOf,
  taking,
  type Said,
} from './support.ts';

/** What a use of the computer tool in a generation means. */
function meaning(generation: ComputerGeneration, block: ContentBlock | ContentBlockParam): ComputerAction {
  const { name, input, toolset_name: toolset } = block as ToolUseBlock;
  const { action: said, ...rest } = input as Record<string, unknown>;
  const isToolset = generation === 'computer_toolset_20260801';
  expect(toolset ?? null).toBe(isToolset ? 'computer' : null);
  expect(isToolset || name === 'computer').toBe(true);
  const call = isToolset
    ? { name, input: input as Record<string, unknown> }
    : { name: String(said), input: rest };
  const { action: found, invalid } = decodeComputer(COMPUTER_FORMS[generation], call);
  if (found === undefined) throw new Error(invalid);
  return found;
}

interface Turn {
  /** What the model says: texts and uses of the computer tool. */
  readonly said: readonly Said[];
  readonly meant: readonly ComputerAction[];
}

/** A reply of a model of a generation: actions that a client of the other can do as well, with texts between. */
function turnFor(upstream: ComputerGeneration, client: ComputerGeneration): fc.Arbitrary<Turn> {
  const sayable = action.filter((each) => {
    const inputs = encodeComputer(COMPUTER_FORMS[upstream], each).inputs ?? [];
    return inputs.length === 1 && encodeComputer(COMPUTER_FORMS[client], each).inputs !== undefined;
  });
  const thought = fc.constantFrom<Said[]>(
    [],
    [{ type: 'thinking', thinking: 'Look first.', signature: 'c2ln' }],
    [{ type: 'text', text: 'I look first.', citations: null }],
  );
  const id = fc
    .tuple(fc.stringMatching(/^[a-zA-Z0-9]{8}$/), fc.constantFrom('', '', '__part1of1', '__part2of2', '_x'))
    .map(([unique, end]) => `toolu_${unique}${end}`);
  return fc
    .tuple(
      thought,
      fc.uniqueArray(fc.tuple(id, sayable), { minLength: 1, maxLength: 4, selector: ([unique]) => unique }),
    )
    .map(([before, uses]) => ({
      said: [
        ...before,
        ...uses.map(([unique, each]) => {
          const [input] = encodeComputer(COMPUTER_FORMS[upstream], each).inputs ?? [];
          if (input === undefined) throw new Error('the action cannot be said');
          return computerUse(upstream, unique, input.name, input.input);
        }),
      ],
      meant: uses.map(([, each]) => each),
    }));
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a client of a generation answers to the uses of a reply, in whatever order of parts it got them. */
function answersOf(content: readonly ContentBlock[], failing: ReadonlySet<string>): ContentBlockParam[] {
  return content.flatMap((block): ContentBlockParam[] => {
    if (block.type !== 'tool_use') return [];
    const echoed = block.toolset_name == null ? {} : { toolset_name: block.toolset_name };
    if (failing.has(block.id)) {
      const result = { tool_use_id: block.id, content: `${block.id} went wrong`, is_error: true, ...echoed };
      return [{ type: 'tool_result', ...result }];
    }
    return [
      {
        type: 'tool_result',
        tool_use_id: block.id,
        ...echoed,
        content: [
          { type: 'text', text: `${block.id} done` },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      },
    ];
  });
}

describe.each(PAIRS.filter(([upstream, client]) => upstream !== client))(
  'a model that takes %s and a client of %s',
  (upstream, client) => {
    it('the client does what the model meant, and the model reads its own words again', async () => {
      await assertAsyncProperty(
        40,
        turnFor(upstream, client),
        fc.nat({ max: 8 }),
        async ({ said, meant }, fails) => {
          const model = modelOf(messageOf(said));
          const provider = withBridge(model, taking(upstream));
          const request = requestOf(taking(client));
          const reply = await provider.reply(request, options);
          const uses = reply.content.filter((block) => block.type === 'tool_use');

          // The client sees its own generation, with ids that are its own and different from each other.
          expect(eventsOf(uses.map((block) => meaning(client, block)))).toEqual(eventsOf(meant));
          expect(new Set(uses.map(({ id }) => id)).size).toBe(uses.length);
          expect(uses.every(({ id }) => /^[a-zA-Z0-9_-]+$/.test(id))).toBe(true);
          expect(reply.stop_reason).toBe('tool_use');
          expect(reply.usage).toEqual(messageOf([]).usage);
          // Everything else is as the model said it.
          const others = (content: readonly { type: string }[]): unknown[] =>
            content.filter(({ type }) => type !== 'tool_use');
          expect(others(reply.content)).toEqual(others(said));

          // A stream brings the same.
          expect(await collectMessage(await eventsIn(provider.stream(request, options)))).toEqual(reply);

          // The next request holds what the client did; the model reads what it had said, under its own ids.
          const failing = new Set(uses.filter((_, index) => index === fails).map(({ id }) => id));
          const messages: MessageParam[] = [
            { role: 'user', content: 'Go on.' },
            { role: 'assistant', content: reply.content as ContentBlockParam[] },
            { role: 'user', content: answersOf(reply.content, failing) },
          ];
          await provider.reply(requestOf(taking(client), messages), options);
          const history = model.asked.at(-1)?.messages ?? [];
          const again = blocksOf(history[1]);
          expect(others(again)).toEqual(others(said));
          const own = again.filter((block) => block.type === 'tool_use');
          const asked = said.filter(({ type }) => type === 'tool_use');
          expect(own.map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
          expect(eventsOf(own.map((block) => meaning(upstream, block)))).toEqual(eventsOf(meant));

          // Each use has one result, in order; a failure of any part is a failure of the whole.
          const results = blocksOf(history[2]);
          expect(results.map((block) => (block as { tool_use_id: string }).tool_use_id)).toEqual(
            own.map(({ id }) => id),
          );
          const failed = results.filter((block) => block.type === 'tool_result' && block.is_error === true);
          expect(failed).toHaveLength(failing.size);
          for (const block of results) {
            expect(block).toHaveProperty('type', 'tool_result');
            expect((block as { toolset_name?: string }).toolset_name ?? null).toBe(
              upstream === 'computer_toolset_20260801' ? 'computer' : null,
            );
          }
          for (const id of failing) expect(JSON.stringify(failed)).toContain(`${id} went wrong`);
        },
      );
    });
  },
);
