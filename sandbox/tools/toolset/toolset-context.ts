import type { GuestFiles, RunOptions, RunResult } from '../../guest-protocol/guest.ts';
import type { GlobRequest, GlobResult } from '../../guest-protocol/glob.ts';
import type { GuestShell } from '../../guest-protocol/shell.ts';
import type { FetchedPage } from '../../guest-protocol/fetched-page.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import type { ToolsetInput } from './fields.ts';

/** The inside of the sandbox as the tools of the toolset use it. */
export interface ToolsetGuest {
  readonly files: GuestFiles;
  readonly shell: GuestShell;
  run(argv: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Makes a path absolute; a relative one starts at the working folder. */
  absolute(path: string): Promise<string>;
  glob(request: GlobRequest, signal: AbortSignal): Promise<GlobResult>;
  fetchPage(url: string, signal: AbortSignal): Promise<FetchedPage>;
}

/** One tool of the toolset. */
export type ToolsetTool = (input: ToolsetInput, context: ToolContext) => Promise<ToolOutput>;
