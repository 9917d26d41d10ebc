import { createFileService } from '../../../sandbox/guest/file-service.ts';
import { runProgram } from '../../../sandbox/guest/program-service.ts';
import { createEditorTool } from '../../../sandbox/tools/editor/editor-tool.ts';
import { EDITOR_CASES } from '../../oracle/tools/editor-cases.ts';
import type { ToolCase } from '../../oracle/tools/tool-case.ts';
import { sampled } from '../../support/sampled.ts';
import { goldenCases, replay } from './replay.ts';

const DEFINITION = { type: 'text_editor_20241022', name: 'str_replace_editor' } as const;
const golden = goldenCases('editor');

const asked = EDITOR_CASES.filter(({ hangs, loose }) => hangs !== true && loose !== true);
// Root may read and write whatever the rights say.
const describeUnprivileged = process.getuid?.() === 0 ? describe.skip : describe;

/** Every answer and every byte left on the disk as the reference's were when they were recorded. */
describe('compat reference, editor', () => {
  test.each(
    sampled(
      asked.filter(({ unprivileged }) => unprivileged !== true),
      2,
    ),
  )('$name', async (testCase) => {
    const { ours, expected } = await compared(testCase);
    expect(ours).toEqual(expected);
  });
});

describeUnprivileged('compat reference, editor, without rights', () => {
  test.each(asked.filter(({ unprivileged }) => unprivileged === true))('$name', async (testCase) => {
    const { ours, expected } = await compared(testCase);
    expect(ours).toEqual(expected);
  });
});

async function compared(testCase: ToolCase): Promise<{ readonly ours: unknown; readonly expected: unknown }> {
  const { answers, files } = golden.get(testCase.name)!;
  const ours = await replayed(testCase);
  // Where the reference raises something untyped, ours answers.
  const kept = answers.map((given, index) => ('crash' in given ? ours.answers[index]! : given));
  return { ours: inOrder(testCase, ours), expected: inOrder(testCase, { answers: kept, files }) };
}

function replayed(testCase: ToolCase): ReturnType<typeof replay> {
  return replay(testCase, DEFINITION, () => ({
    tool: createEditorTool({ files: createFileService(), run: runProgram, compat: 'reference' }),
    close: () => Promise.resolve(),
  }));
}

/** `find` lists a folder in the file system's order. */
function inOrder<T extends { readonly answers: readonly unknown[] }>({ sorted }: ToolCase, found: T): T {
  if (sorted !== true) return found;
  const answers = found.answers.map((given) => {
    const { content } = given as { content: string };
    return { ...(given as object), content: content.split('\n').toSorted().join('\n') };
  });
  return { ...found, answers };
}
