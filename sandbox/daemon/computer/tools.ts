import { AGENT_TOOLSET } from '@steadyhand/contracts';
import { GENERATIONS } from '../../tools/computer/generations.ts';
import { createComputerTool } from '../../tools/computer/computer-tool.ts';
import { BASH_TYPES, createBashTool } from '../../tools/bash-tool.ts';
import { createEditorTool } from '../../tools/editor/editor-tool.ts';
import { EDITOR_GENERATIONS } from '../../tools/editor/generation.ts';
import type { EditHistory } from '../../tools/editor/history.ts';
import { type Tool, ToolError } from '../../tools/tool.ts';
import { createToolset } from '../../tools/toolset/toolset.ts';
import type { SandboxConfig } from '../../config.ts';
import type { DisplayHolder } from './display-holder.ts';
import type { GuestClient } from './guest-client.ts';

/** The tools of one computer, by the type in the tool definition of a call. */
export type ToolRegistry = ReadonlyMap<string, Tool>;

export function createTools(options: {
  readonly config: SandboxConfig;
  readonly guest: GuestClient;
  readonly display: DisplayHolder;
  /** The history for `undo_edit`. Files outlive a computer, so their history does too. */
  readonly history: EditHistory;
}): ToolRegistry {
  const { config, guest, display, history } = options;
  const { compat } = config;
  const bash = createBashTool({ shell: guest.shell, compat, timeoutMs: config.bash_timeout_ms });
  const editor = createEditorTool({
    files: guest.files,
    run: (argv, options) => guest.run(argv, options),
    compat,
    history,
  });
  const toolset = createToolset(
    {
      files: guest.files,
      shell: guest.shell,
      run: (argv, options) => guest.run(argv, options),
      absolute: async (path) => (await guest.call('absolute', { path })).path,
      glob: (request, signal) => guest.call('glob', request, signal),
      fetchPage: (url, signal) => guest.call('fetchPage', { url }, signal),
    },
    { bashTimeoutMs: config.bash_timeout_ms },
  );
  const computer: Tool = {
    run: async (input, context) => {
      const state = await display.open();
      if ('unavailable' in state) throw new ToolError(`This computer has no display: ${state.unavailable}`);
      return createComputerTool({ display: state.display, compat }).run(input, context);
    },
  };
  return new Map<string, Tool>([
    ...Object.keys(GENERATIONS).map((type) => [type, computer] as const),
    ...Object.keys(EDITOR_GENERATIONS).map((type) => [type, editor] as const),
    ...BASH_TYPES.map((type) => [type, bash] as const),
    [AGENT_TOOLSET, toolset],
  ]);
}
