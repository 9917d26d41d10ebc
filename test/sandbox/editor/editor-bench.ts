import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Compat, ToolDefinition } from '@steadyhand/contracts';
import { createFileService } from '../../../sandbox/guest/file-service.ts';
import { runProgram } from '../../../sandbox/guest/program-service.ts';
import { createEditorTool } from '../../../sandbox/tools/editor/editor-tool.ts';
import type { EditHistory } from '../../../sandbox/tools/editor/history.ts';
import { ToolError } from '../../../sandbox/tools/tool.ts';

/** An editor on a folder of real files. */
export interface EditorBench {
  readonly folder: string;
  /** What the tool answers: its output, or its error's text after `error: `. `DIR` stands for the folder. */
  call(input: unknown): Promise<string>;
  /** The definition of the calls from now on. Default: that of 20241022. */
  use(definition: ToolDefinition): void;
  put(name: string, content: string | Uint8Array): Promise<void>;
  /** The bytes on disk, as text with one character a byte. */
  bytes(name: string): Promise<string>;
  close(): Promise<void>;
}

export async function editorBench(compat: Compat, history?: EditHistory): Promise<EditorBench> {
  const folder = await mkdtemp(join(tmpdir(), 'editor-'));
  const tool = createEditorTool({
    files: createFileService(),
    run: runProgram,
    compat,
    ...(history === undefined ? {} : { history }),
  });
  let definition: ToolDefinition = { type: 'text_editor_20241022', name: 'str_replace_editor' };
  return {
    folder,
    call: async (input) => {
      const placed: unknown =
        input === undefined ? input : JSON.parse(JSON.stringify(input).replaceAll('DIR', folder));
      try {
        const { output, error } = await tool.run(placed, {
          definition,
          signal: new AbortController().signal,
        });
        expect(error).toBeUndefined();
        return (output ?? '').replaceAll(folder, 'DIR');
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        return `error: ${error.message}`.replaceAll(folder, 'DIR');
      }
    },
    use: (other) => {
      definition = other;
    },
    put: (name, content) => writeFile(join(folder, name), content),
    bytes: async (name) => (await readFile(join(folder, name))).toString('latin1'),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** `numbered(['a', 'b'], 9)` -> the lines as the tool shows them, from line 9 on. */
export function numbered(lines: readonly string[], first = 1): string {
  return lines.map((line, index) => `${String(index + first).padStart(6)}\t${line}\n`).join('');
}

export const REVIEW =
  'Review the changes and make sure they are as expected. Edit the file again if necessary.';
export const REVIEW_INSERT =
  'Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.';
