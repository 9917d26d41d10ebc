import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { findProgram } from '../find-program.ts';
import { PANEL_PROGRAM } from '../desktop/panel-files.ts';
import type { GuestMethods } from '../guest-protocol/wire.ts';
import { errorText } from '../error-fields.ts';
import { type Running, type ScreenSize, startXServer, X_SERVER, type XServer } from './x-server.ts';

/** The socket at which an X server with this number listens. */
export function xSocketPath(number: number): string {
  return `/tmp/.X11-unix/X${number}`;
}

/** The file by which an X server reserves its number. */
export function xLockPath(number: number): string {
  return `/tmp/.X${number}-lock`;
}

type Started = GuestMethods['startDisplay']['result'];

/** The X server, the window manager and the panel inside a sandbox. */
export class DisplayService {
  readonly #number: number;
  readonly #programs = new Set<Running>();
  /** The start that was begun before anybody asked for it. */
  #first: Promise<Started> | null = null;

  /** @param first of a display that is wanted at once: its size, or its X server where that was started before the guest */
  constructor(number: number, first?: XServer | ScreenSize) {
    this.#number = number;
    if (first === undefined) return;
    this.#first = this.#start(first);
    // Who asks for it is told.
    this.#first.catch(() => undefined);
  }

  /** Starts the programs in place of those that run. Resolves when the X server accepts connections. */
  async start(size: ScreenSize): Promise<Started> {
    const first = this.#first;
    this.#first = null;
    return first ?? this.#start(size);
  }

  async #start(server: XServer | ScreenSize): Promise<Started> {
    await this.stop();
    const missing = [X_SERVER, 'openbox'].filter((program) => findProgram(program) === null);
    if (missing.includes(X_SERVER)) return { number: null, windowManager: null, missing };
    try {
      await this.#watched('ready' in server ? server : this.#newServer(server)).ready;
    } catch (error) {
      const reason = errorText(error);
      return { number: null, windowManager: null, missing, reason };
    }
    const windowManager = missing.includes('openbox') ? null : 'openbox';
    const panel = windowManager !== null && findProgram(PANEL_PROGRAM) !== null;
    // The window manager starts the panel when it is ready, because a panel that finds no window manager looks for one
    // only once a second.
    if (windowManager !== null) this.#run(windowManager, panel ? ['--startup', PANEL_PROGRAM] : []);
    return { number: this.#number, windowManager, panel, missing };
  }

  /** Ends the programs and waits for their end. */
  async stop(): Promise<void> {
    const programs = [...this.#programs];
    for (const program of programs) program.kill('SIGTERM');
    const killer = setTimeout(() => {
      for (const program of this.#programs) program.kill('SIGKILL');
    }, 1_000);
    await Promise.all(programs.map(({ ended }) => ended));
    clearTimeout(killer);
  }

  #newServer(size: ScreenSize): XServer {
    // A server that was killed leaves both files behind, and the next one would refuse to start.
    rmSync(xLockPath(this.#number), { force: true });
    rmSync(xSocketPath(this.#number), { force: true });
    return startXServer(this.#number, size);
  }

  #run(program: string, args: readonly string[]): void {
    const child = spawn(program, args, {
      stdio: 'ignore',
      detached: true,
      // Programs that are started from the menu and the panel begin in this folder.
      cwd: process.env['HOME'] ?? '/',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
    this.#watched({ ended, kill: (signal) => void child.kill(signal) });
  }

  #watched<T extends Running>(program: T): T {
    this.#programs.add(program);
    void program.ended.then(() => this.#programs.delete(program));
    return program;
  }
}

/** Picks a display number that nobody uses on this machine. Inside its own namespaces a sandbox always uses 1. */
export function freeDisplayNumber(random: () => number = Math.random): number {
  for (;;) {
    const number = 1_000 + Math.floor(random() * 60_000);
    if (!existsSync(xSocketPath(number)) && !existsSync(xLockPath(number))) return number;
  }
}
