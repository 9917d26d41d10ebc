import { encodeProblem } from '../editor/utf8.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';

/** `write` writes the whole content of a file, new or not, and makes its parent folders. */
export function writeTool({ files }: Pick<ToolsetGuest, 'files'>): ToolsetTool {
  return async (input) => {
    const path = input.path('file_path');
    const content = input.optional('content');
    if (content === undefined) throw input.fault('content is required');
    const problem = encodeProblem(content);
    if (problem !== null) throw input.fault(`content is no text that can be written: ${problem}`);
    const bytes = Buffer.from(content, 'utf8');
    try {
      await files.write(path, bytes);
    } catch (error) {
      throw input.fileFault(error, path);
    }
    return { output: `wrote ${bytes.length} bytes to ${path}` };
  };
}
