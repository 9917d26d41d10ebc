import { constants as osConstants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type BashExit, type BashReport, BashSession, newNonce } from './bash-session.ts';
import { quote } from './bash-driver.ts';
import { ClippedText } from './clipped-text.ts';
import { CommandProcesses } from './command-processes.ts';
import { FullFolders } from './full-folders.ts';
import { endProcesses, processesOf, sendSignal } from '../../process-tree.ts';
import type { GuestShell, ShellRequest, ShellResult } from '../../guest-protocol/shell.ts';

/** How long a stopped program may take to end itself before it is killed. */
const GRACE_MS = 300;
/** How long bash may take to come back after an abort before it is killed. */
const ABORT_MS = 5_000;
/** The value of `$?` after a command was stopped, as after Ctrl-C. */
const STOPPED_STATUS = 130;

interface Running {
  readonly bash: BashSession;
  readonly streams: ShellRequest['streams'];
  lastStatus: number;
  tracing: string;
  errexit: boolean;
}

/** The persistent bash, which the first command starts. `folder` is private to it, and `home` is where it starts. */
export class ShellService implements GuestShell {
  readonly #folder: string;
  readonly #home: string;
  readonly #alone: boolean;
  readonly #full: FullFolders;
  #running: Running | null = null;

  constructor(options: {
    readonly folder: string;
    readonly home: string;
    /** Whether all processes of this user are the agent's. The default is false. */
    readonly alone?: boolean;
    /** In-memory folders that have sizes of their own. The default is none. */
    readonly sized?: readonly string[];
  }) {
    this.#folder = options.folder;
    this.#home = options.home;
    this.#alone = options.alone ?? false;
    this.#full = new FullFolders(options.sized ?? []);
  }

  async run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
    const { env = {} } = request;
    const names = Object.keys(env);
    if (names.length === 0) return await this.#run(request, signal);
    // The variables are set by separate lines, so that they are never traced and no later command sees them.
    const lines = Object.entries(env).map(([name, value]) => `builtin export ${name}=${quote(value)}`);
    await this.#quietly(await this.#ensure(request.streams), lines.join('\n'));
    try {
      return await this.#run(request, signal);
    } finally {
      const shell = this.#running;
      if (shell !== null) await this.#quietly(shell, `builtin unset ${names.join(' ')}`);
    }
  }

  /** Runs a line of our own in the shell as if nothing had been run. A shell that does not answer is given up. */
  async #quietly(shell: Running, command: string): Promise<void> {
    const { lastStatus, errexit } = shell;
    const late = pause(ABORT_MS, null, { ref: false });
    const done = await Promise.race([shell.bash.run({ command, lastStatus, tracing: '', errexit }), late]);
    if (done === null || !('status' in done)) await this.#drop(shell, 'kill');
  }

  async #run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
    const shell = await this.#ensure(request.streams);
    const stdout = new ClippedText(request.keepCharacters);
    const stderr = new ClippedText(request.keepCharacters);
    shell.bash.onStdout = (chunk) => stdout.push(chunk);
    shell.bash.onStderr = (chunk) => stderr.push(chunk);
    const nonce = newNonce();
    const processes = new CommandProcesses(shell.bash.pid, nonce);
    const full = this.#full.watch();
    const stop = stopOf(request.timeoutMs, signal);
    try {
      const { command } = request;
      const { lastStatus, tracing, errexit } = shell;
      const running = shell.bash.run({ command, lastStatus, tracing, errexit }, nonce);
      const first = await Promise.race([running, stop.reason]);
      if (typeof first === 'string') {
        const kept = await this.#stop(shell, processes);
        shell.bash.drain();
        if (!kept) await this.#drop(shell, 'kill');
        const left = [...processes.own(), ...(this.#alone ? processes.unattributed() : [])];
        const streams = { stdout: stdout.take(), stderr: stderr.take(), traced: false };
        return {
          ended: first,
          status: null,
          ...streams,
          shellKept: kept,
          left: left.map(({ name, pid }) => `${name} (pid ${pid})`),
          full: full.take(),
        };
      }
      shell.bash.drain();
      const ended = 'status' in first ? noteReport(shell, first) : await this.#noteExit(shell, first);
      const traced = shell.tracing.includes('x') && ended.shellKept;
      const streams = { stdout: stdout.take(), stderr: stderr.take(), traced };
      return { ...ended, ...streams, left: [], full: full.take() };
    } finally {
      full.end();
      stop.clear();
    }
  }

  async restart(): Promise<void> {
    if (this.#running !== null) await this.#drop(this.#running, 'kill');
  }

  async #ensure(streams: ShellRequest['streams']): Promise<Running> {
    if (this.#running?.streams === streams) return this.#running;
    if (this.#running !== null) await this.#drop(this.#running, 'kill');
    const bash = await BashSession.start({
      folder: this.#folder,
      home: this.#home,
      separate: streams === 'separate',
    });
    const running: Running = { bash, streams, lastStatus: 0, tracing: '', errexit: false };
    this.#running = running;
    return running;
  }

  /** Ends the command's processes and brings bash back. Jobs of earlier commands go on. */
  async #stop(shell: Running, processes: CommandProcesses): Promise<boolean> {
    const started = (): ReturnType<typeof processesOf> => processes.own();
    const report = await shell.bash.abort(() => endProcesses(started, GRACE_MS), ABORT_MS);
    await endProcesses(started, 0);
    if (report === null) return false;
    noteReport(shell, report);
    shell.lastStatus = STOPPED_STATUS;
    return true;
  }

  async #noteExit(
    shell: Running,
    exit: BashExit,
  ): Promise<Pick<ShellResult, 'ended' | 'status' | 'shellKept'>> {
    await this.#drop(shell, 'leave');
    const status = exit.signal === null ? exit.code : -osConstants.signals[exit.signal];
    return { ended: 'exited', status, shellKept: false };
  }

  async #drop(shell: Running, jobs: 'kill' | 'leave'): Promise<void> {
    if (this.#running === shell) this.#running = null;
    if (jobs === 'kill') {
      const { pid } = shell.bash;
      // Its descendants are ended first, while their parents still identify them.
      await endProcesses(() => processesOf(pid), 0);
      sendSignal(pid, 'SIGKILL');
      await shell.bash.exited;
      await endProcesses(() => processesOf(pid), 0);
    }
    shell.bash.close();
  }
}

function noteReport(shell: Running, report: BashReport): Pick<ShellResult, 'ended' | 'status' | 'shellKept'> {
  shell.lastStatus = report.status;
  shell.tracing = report.flags.replaceAll(/[^xv]/g, '');
  shell.errexit = report.flags.includes('e');
  return { ended: 'completed', status: report.status, shellKept: true };
}

function stopOf(
  timeoutMs: number,
  signal: AbortSignal,
): { readonly reason: Promise<'timeout' | 'interrupted'>; readonly clear: () => void } {
  let clear: () => void = () => undefined;
  const reason = new Promise<'timeout' | 'interrupted'>((resolve) => {
    const interrupt = (): void => resolve('interrupted');
    const timer = setTimeout(() => resolve('timeout'), timeoutMs);
    signal.addEventListener('abort', interrupt, { once: true });
    if (signal.aborted) interrupt();
    clear = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
    };
  });
  return { reason, clear };
}
