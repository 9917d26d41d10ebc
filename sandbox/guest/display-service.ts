import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { findProgram } from '../find-program.ts';
import { PANEL_PROGRAM } from '../desktop/panel-files.ts';
import { processEnd } from '../process-end.ts';
import type { GuestMethods } from '../guest-protocol/wire.ts';
import { errorText } from '../error-fields.ts';

const START_MS = 15_000;

/** The socket at which an X server with this number listens. */
export function xSocketPath(number: number): string {
  return `/tmp/.X11-unix/X${number}`;
}

/** The file by which an X server reserves its number. */
export function xLockPath(number: number): string {
  return `/tmp/.X${number}-lock`;
}

type Started = GuestMethods['startDisplay']['result'];

/** In pixels. */
export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** The X server, the window manager and the panel inside a sandbox. */
export class DisplayService {
  readonly #number: number;
  readonly #programs = new Set<ChildProcess>();
  /** The start that was begun before anybody asked for it. */
  #first: Promise<Started> | null = null;

  /** @param screen its size, for a display that is wanted at once: the X server starts while the guest does */
  constructor(number: number, screen?: ScreenSize) {
    this.#number = number;
    if (screen === undefined) return;
    this.#first = this.#start(screen);
    // Who asks for it is told.
    this.#first.catch(() => undefined);
  }

  /** Starts the programs in place of those that run. Resolves when the X server accepts connections. */
  async start(size: ScreenSize): Promise<Started> {
    const first = this.#first;
    this.#first = null;
    return first ?? this.#start(size);
  }

  async #start(size: ScreenSize): Promise<Started> {
    await this.stop();
    const missing = ['Xvfb', 'openbox'].filter((program) => findProgram(program) === null);
    if (missing.includes('Xvfb')) return { number: null, windowManager: null, missing };
    // A server that was killed leaves both files behind, and the next one would refuse to start.
    rmSync(xLockPath(this.#number), { force: true });
    rmSync(xSocketPath(this.#number), { force: true });
    try {
      await this.#startServer(size);
    } catch (error) {
      const reason = errorText(error);
      return { number: null, windowManager: null, missing, reason };
    }
    const windowManager = missing.includes('openbox') ? null : 'openbox';
    const panel = windowManager !== null && findProgram(PANEL_PROGRAM) !== null;
    // The window manager starts the panel when it is ready, because a panel that finds no window manager looks for one
    // only once a second.
    if (windowManager !== null) this.#run(windowManager, panel ? ['--startup', PANEL_PROGRAM] : [], 'ignore');
    return { number: this.#number, windowManager, panel, missing };
  }

  /** Ends the programs and waits for their end. */
  async stop(): Promise<void> {
    const ends = [...this.#programs].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.#programs) child.kill('SIGTERM');
    const killer = setTimeout(() => {
      for (const child of this.#programs) child.kill('SIGKILL');
    }, 1_000);
    await Promise.all(ends);
    clearTimeout(killer);
  }

  async #startServer(size: ScreenSize): Promise<void> {
    const screen = `${size.width}x${size.height}x24`;
    const args = [
      `:${this.#number}`,
      '-screen',
      '0',
      screen,
      '-nolisten',
      'tcp',
      '-noreset',
      '-ac',
      // GLX would load Mesa and its compiler into every X server (50 MB and 150 ms), for what EGL does without the
      // server.
      '-extension',
      'GLX',
      '-displayfd',
      '3',
    ];
    const child = this.#run('Xvfb', args, 'pipe');
    const ready = child.stdio[3];
    const log: string[] = [];
    child.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 20) log.push(chunk.toString('utf8'));
    });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Xvfb was not ready in 15 s')), START_MS);
      // The number and the newline come in two writes, and the server gives up when the second one fails.
      ready?.on('data', (chunk: Buffer) => {
        if (!chunk.includes('\n')) return;
        clearTimeout(timer);
        resolve();
      });
      void processEnd(child).then(({ code }) => {
        clearTimeout(timer);
        reject(new Error(`Xvfb ended with code ${code}: ${log.join('').trim()}`));
      });
      child.once('error', reject);
    });
    ready?.destroy();
    child.stderr?.resume();
  }

  #run(program: string, args: readonly string[], output: 'pipe' | 'ignore'): ChildProcess {
    const child = spawn(program, args, {
      stdio: output === 'pipe' ? ['ignore', 'ignore', 'pipe', 'pipe'] : 'ignore',
      detached: true,
      // Programs that are started from the menu and the panel begin in this folder.
      cwd: process.env['HOME'] ?? '/',
    });
    this.#programs.add(child);
    child.on('error', () => this.#programs.delete(child));
    child.once('exit', () => this.#programs.delete(child));
    return child;
  }
}

/** Picks a display number that nobody uses on this machine. Inside its own namespaces a sandbox always uses 1. */
export function freeDisplayNumber(random: () => number = Math.random): number {
  for (;;) {
    const number = 1_000 + Math.floor(random() * 60_000);
    if (!existsSync(xSocketPath(number)) && !existsSync(xLockPath(number))) return number;
  }
}
