import { randomBytes } from 'node:crypto';
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
import { DisplayHolder } from './display-holder.ts';
import { GuestClient } from './guest-client.ts';
import type { GuestStart, IsolationBackend } from '../../isolation/backend.ts';
import { makeSessionFolder } from '../../isolation/session-folder.ts';
import { GuestStderr } from './guest-stderr.ts';
import type { DaemonLog } from '../../daemon-log.ts';

/** The tools of one computer, by the type in the tool definition of a call. */
export type ToolRegistry = ReadonlyMap<string, Tool>;

function createTools(options: {
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

const READY_MS = 20_000;
const STOP_MS = 3_000;

/** A running computer inside a sandbox, from the start of its guest to the guest's end. */
export interface Computer {
  /** Names this run of the computer. */
  readonly boot: string;
  readonly guest: GuestClient;
  readonly display: DisplayHolder;
  /** The folder of the X server's and the VNC server's sockets, as this process sees it. */
  readonly xSocketFolder: string;
  /** Resolves when the display has come up for the first time, or has failed to. */
  readonly settled: Promise<void>;
  readonly tools: ToolRegistry;
  /** The pids of the processes inside, in this process's pid namespace. */
  readonly processes: () => readonly number[];
  /** Resolves when everything inside has ended. */
  readonly gone: Promise<void>;
  /** Ends everything inside. */
  stop(): Promise<void>;
}

interface ComputerOptions {
  readonly backend: IsolationBackend;
  readonly start: GuestStart;
  readonly history: EditHistory;
  readonly log: DaemonLog;
}

/** Starts the guest and waits until it accepts calls; the display starts meanwhile. */
export async function startComputer(options: ComputerOptions): Promise<Computer> {
  const { backend, start, history, log } = options;
  const { config } = start;
  await backend.cleanUp();
  makeSessionFolder(start.layout, config.agent_uid);
  const stderr = new GuestStderr((text) => log.error('guest', { stderr: text }));
  const { child, closed, xSocketFolder } = await backend.start(start, stderr.accept);
  const guest = new GuestClient({ input: child.stdout, output: child.stdin });
  // A guest whose pipe has closed cannot be used any more; what is left of it is ended.
  const gone = guest.gone.then(async () => {
    child.kill('SIGKILL');
    await closed;
    await backend.cleanUp();
  });
  const stop = async (): Promise<void> => {
    // Without a pid namespace the guest ends the other processes and needs time to do so.
    child.stdin.end();
    const killer = setTimeout(() => child.kill('SIGKILL'), backend.kind === 'none' ? STOP_MS : 0);
    await gone;
    clearTimeout(killer);
  };
  try {
    await within(guest.ready, READY_MS);
  } catch (error) {
    await stop();
    throw new Error(`the guest did not start: ${stderr.text || String(error)}`, { cause: error });
  }
  const display = new DisplayHolder({ guest, size: config.display, socketFolder: xSocketFolder });
  const settled = display.open().then((state) => {
    if ('unavailable' in state) log.error('no display', { reason: state.unavailable });
  });
  const tools = createTools({ config, guest, display, history });
  return {
    boot: `boot_${randomBytes(8).toString('hex')}`,
    guest,
    display,
    xSocketFolder,
    settled,
    tools,
    processes: () => (child.pid === undefined ? [] : backend.processes(child.pid)),
    gone,
    stop,
  };
}

function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in ${ms / 1000} s`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
