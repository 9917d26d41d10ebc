import { createFileService } from '../../../sandbox/guest/file-service.ts';
import { runProgram } from '../../../sandbox/guest/program-service.ts';
import { createEditorTool } from '../../../sandbox/tools/editor/editor-tool.ts';
import { EDITOR_CASES } from '../../oracle/tools/editor-cases.ts';
import type { ToolCase } from '../../oracle/tools/tool-case.ts';
import { goldenCases, replay } from './replay.ts';

const DEFINITION = { type: 'text_editor_20241022', name: 'str_replace_editor' } as const;
const golden = goldenCases('editor');
const root = process.getuid?.() === 0;

/** Every answer and every byte left on the disk as the reference's were when they were recorded. */
describe('compat reference, editor', () => {
  const asked = EDITOR_CASES.filter(({ hangs, loose }) => hangs !== true && loose !== true);
  const run = asked.filter(({ unprivileged }) => !(unprivileged === true && root));
  const left = asked.filter((one) => !run.includes(one));
  test.each(run)('$name', async (testCase) => {
    const { answers, files } = golden.get(testCase.name)!;
    const ours = await replayed(testCase);
    // Where the reference raises something untyped, ours answers.
    const expected = {
      answers: answers.map((given, index) => ('crash' in given ? ours.answers[index]! : given)),
      files,
    };
    expect(inOrder(testCase, ours)).toEqual(inOrder(testCase, expected));
  });
  // Root may read and write whatever the rights say.
  if (left.length > 0) test.skip.each(left)('$name (root)', () => undefined);
});

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
