import { bash20250124 } from '../../tools/bash.ts';
import { computerToolset20260801 } from '../../tools/computer-toolset-20260801.ts';
import { textEditor20250728 } from '../../tools/text-editors.ts';
import {
  objectSchema,
  seconds,
  text,
  type PropertySchema,
  type ToolFunction,
  wholeNumber,
} from '../../tools/tool-function.ts';
import { LONGEST_WAIT_S, WAIT_S } from './script.ts';

/** What a step takes and does: where the parser's readers and the schema of scripts have their names from. */
export interface StepForm {
  readonly about: string;
  /** JSON Schema of the step's value. */
  readonly takes: PropertySchema;
}

const [bash, editor] = [
  bash20250124.functions({ type: 'bash_20250124', name: 'bash' }),
  textEditor20250728.functions({ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' }),
].map(([tool]) => tool?.input_schema ?? {});

/** The computer's input has the name of what is done in `action`, and beside it what the toolset's member of that name takes. */
const computerActions = computerToolset20260801
  .functions({ type: 'computer_toolset_20260801' })
  .map(({ name, description, input_schema: { properties, required } }: ToolFunction) => ({
    ...objectSchema(
      { action: { const: name, description }, ...(properties as Record<string, PropertySchema>) },
      ['action', ...(required ?? [])],
    ),
  }));

const either = (one: PropertySchema, other: PropertySchema): PropertySchema => ({ anyOf: [one, other] });
const nth = wholeNumber('Which of several, counted from the top left', 1);
const place = either(
  text('The text to click on'),
  objectSchema({ text: text('The text to click on'), nth }, ['text']),
);

/** The agent toolset's members among the steps; what they take is said by who offers the toolset. */
export const MEMBER_STEPS = ['read', 'write', 'glob', 'grep', 'web_fetch'] as const;

export const STEP_FORMS = {
  bash: { about: 'Runs a command in the shell.', takes: either(text('The command'), bash ?? {}) },
  edit: { about: 'Uses the text editor.', takes: editor ?? {} },
  computer: { about: 'Uses the mouse, the keyboard or the screen.', takes: { anyOf: computerActions } },
  type: { about: 'Types a text where the keyboard focus is.', takes: text('The text to type') },
  key: { about: 'Presses a key or a combination.', takes: text('A key such as Return or ctrl+s') },
  read: { about: 'Reads a file.', takes: text('Path of the file') },
  write: { about: 'Writes a file.', takes: objectSchema({}) },
  glob: { about: 'Finds files by name.', takes: text('The glob, such as **/*.txt') },
  grep: { about: 'Searches in files.', takes: text('The regular expression') },
  web_fetch: { about: 'Fetches a web page.', takes: text('The address') },
  tool: {
    about: 'Uses a custom tool of the agent.',
    takes: objectSchema(
      { name: text('The tool’s name'), input: { type: 'object', description: 'Its input' } },
      ['name'],
    ),
  },
  say: { about: 'Says something.', takes: text('What is said') },
  expect: {
    about: 'Fails unless the last result holds a text, or the last command ended with an exit code.',
    takes: either(text('The text'), { ...wholeNumber('The exit code', 0, 255) }),
  },
  click: { about: 'Clicks on a text that is on the screen.', takes: place },
  double_click: { about: 'Double-clicks on a text that is on the screen.', takes: place },
  type_into: {
    about: 'Clicks into the field with a label, and types.',
    takes: objectSchema({ field: text('The field’s label'), text: text('The text to type'), nth }, [
      'field',
      'text',
    ]),
  },
  wait_for: {
    about: 'Takes screenshots until a text is on the screen.',
    takes: either(
      text('The text to wait for'),
      objectSchema(
        {
          text: text('The text to wait for'),
          timeout: seconds(`How long to wait, in seconds; ${WAIT_S} unless given`, LONGEST_WAIT_S),
        },
        ['text'],
      ),
    ),
  },
} as const satisfies Readonly<Record<string, StepForm>>;

/** The name of a step that is one action. */
export type StepName = keyof typeof STEP_FORMS;
