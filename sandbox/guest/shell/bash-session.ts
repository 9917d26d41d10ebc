import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ABORTED,
  ABORT_SIGNAL,
  type CommandLine,
  type DriverPaths,
  OUTPUT_NAME,
  SCRIPT_NAME,
  begunNonce,
  commandLine,
  openingLine,
  plainCommandLine,
  reopeningLine,
} from './bash-driver.ts';
import { sendSignal } from '../../process-tree.ts';
import { isWholeCommand } from './whole-command.ts';

/**
 * A pipe's usual capacity: at most this can still be in it once bash has reported, since everything earlier was read
 * before.
 */
const PIPE_BYTES = 64 * 1024;
/** This long after an abort bash is sent a line, in case it has nothing to do. */
const NUDGE_MS = 500;

export interface BashReport {
  readonly status: number;
  /** The value of bash's `$-`. */
  readonly flags: string;
}

export interface BashExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * One running bash and the pipes to it. They are named pipes, because `/dev/stdout` cannot be opened on Node's sockets.
 */
export class BashSession {
  readonly pid: number;
  /** Resolves when bash has ended, even when another process still holds its pipes. */
  readonly exited: Promise<BashExit>;
  onStdout: (chunk: Buffer) => void = () => undefined;
  onStderr: (chunk: Buffer) => void = () => undefined;

  readonly #paths: DriverPaths;
  readonly #script: Socket;
  readonly #status: Socket;
  readonly #outputs: {
    readonly fd: number;
    /** This is held open, so that readers see no end of the pipe while a restarting bash may open it again. */
    readonly writeEnd: number;
    readonly socket: Socket;
    readonly emit: (chunk: Buffer) => void;
  }[] = [];
  readonly #waiting = new Map<string, (report: BashReport) => void>();
  /** Whether bash reads its script from standard input. */
  readonly #plain: boolean;
  #statusText = '';
  #begun: Promise<unknown> = Promise.resolve();

  /**
   * Starts bash in a session of its own, with `home` as its working directory, below the private `folder`. `separate`
   * keeps its streams apart and makes it read its script from standard input, so that its messages are the reference's.
   */
  static async start(options: {
    readonly folder: string;
    readonly home: string;
    readonly separate: boolean;
  }): Promise<BashSession> {
    const session = new BashSession(options);
    // The first command then begins on the first line.
    if (options.separate) return session;
    const nonce = newNonce();
    const report = session.#report(nonce);
    session.#script.write(openingLine(session.#paths, options.home, nonce));
    const first = await Promise.race([report, session.exited]);
    if (!('status' in first)) throw new Error(`bash ended as it started (code ${first.code})`);
    return session;
  }

  private constructor({ folder, home, separate }: Parameters<typeof BashSession.start>[0]) {
    this.#plain = separate;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#paths = { folder, status: join(folder, 'status'), state: join(folder, 'state') };
    const fifos = [SCRIPT_NAME, 'status', OUTPUT_NAME, ...(separate ? ['err'] : [])];
    execFileSync('mkfifo', ['-m', '600', ...fifos.map((name) => join(folder, name))]);
    // Each pipe is opened for reading and writing at once, so that neither this process nor bash waits for the other to
    // open it.
    const script = openSync(join(folder, SCRIPT_NAME), constants.O_RDWR | constants.O_NONBLOCK);
    const status = openSync(this.#paths.status, constants.O_RDWR | constants.O_NONBLOCK);
    this.#script = new Socket({ fd: script, readable: false, writable: true });
    this.#status = new Socket({ fd: status, readable: true, writable: false });
    this.#status.on('data', (chunk: Buffer) => this.#readStatus(chunk));
    const out = this.#openOutput(join(folder, OUTPUT_NAME), (chunk) => this.onStdout(chunk));
    const err = separate ? this.#openOutput(join(folder, 'err'), (chunk) => this.onStderr(chunk)) : out;
    const input = separate ? openSync(join(folder, SCRIPT_NAME), constants.O_RDONLY) : 'ignore';
    const child = spawn('/bin/bash', separate ? [] : [SCRIPT_NAME], {
      cwd: separate ? home : folder,
      stdio: [input, out, err],
      detached: true,
    });
    if (typeof input === 'number') closeSync(input);
    this.exited = exitOf(child);
    this.pid = child.pid ?? 0;
    for (const socket of [this.#script, this.#status]) socket.on('error', () => undefined);
  }

  /**
   * Runs a line of the driver's, whose nonce marks the processes it starts. Resolves with the report, or with the exit
   * of bash.
   */
  run(line: Omit<CommandLine, 'nonce'>, nonce = newNonce()): Promise<BashReport | BashExit> {
    const report = this.#report(nonce);
    this.#begun = this.#report(begunNonce(nonce));
    for (const output of this.#outputs) output.socket.resume();
    const full = { ...line, nonce };
    this.#script.write(
      this.#plain
        ? plainCommandLine(this.#paths, full, traces(line) && isWholeCommand(line.command))
        : commandLine(this.#paths, full),
    );
    return Promise.race([report, this.exited]);
  }

  /**
   * Asks bash to abandon the running command and to come back with its state. Returns null when it did not within
   * `withinMs`.
   */
  async abort(endChildren: () => Promise<void>, withinMs: number): Promise<BashReport | null> {
    // A bash that counts lines as the reference's is not restarted: the next command gets another one.
    if (this.#plain) return null;
    // The abort waits until then: a bash that restarted in the middle of reading a line would read the rest of it.
    if ((await Promise.race([this.#begun, this.exited, pause(withinMs, null, { ref: false })])) === null)
      return null;
    const aborted = this.#report(ABORTED);
    const nonce = newNonce();
    sendSignal(this.pid, ABORT_SIGNAL);
    await endChildren();
    // When the command ended by itself in the meantime, bash waits for its next line, and this one lets the trap run.
    const nudge = setTimeout(() => this.#script.write(':\n'), NUDGE_MS);
    const answer = await Promise.race([aborted, this.exited, pause(withinMs, null, { ref: false })]);
    clearTimeout(nudge);
    if (answer === null || !('status' in answer)) return null;
    const back = this.#report(nonce);
    this.#script.write(reopeningLine(this.#paths, nonce));
    const reopened = await Promise.race([back, this.exited, pause(withinMs, null, { ref: false })]);
    return reopened !== null && 'status' in reopened ? reopened : null;
  }

  /**
   * Reads what was written before now, then stops reading: a job in the background waits at a full pipe, as at a
   * stopped terminal.
   */
  drain(): void {
    for (const { fd, socket, emit } of this.#outputs) {
      socket.pause();
      // Reading emits what the stream holds as `data`.
      while (socket.read() !== null);
      const buffer = Buffer.allocUnsafe(PIPE_BYTES);
      for (let read = 0; read < PIPE_BYTES;) {
        const count = readAvailable(fd, buffer);
        if (count === 0) break;
        emit(Buffer.from(buffer.subarray(0, count)));
        read += count;
      }
    }
  }

  /**
   * Closes the pipes. Output of jobs that outlive this bash is read and dropped, so that a full pipe does not stop
   * them.
   */
  close(): void {
    this.#script.destroy();
    this.#status.destroy();
    for (const { socket, writeEnd } of this.#outputs.splice(0)) {
      closeSync(writeEnd);
      socket.removeAllListeners('data');
      socket.unref();
      socket.resume();
    }
    rmSync(this.#paths.folder, { recursive: true, force: true });
  }

  #openOutput(path: string, emit: (chunk: Buffer) => void): number {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = openSync(path, constants.O_WRONLY);
    const socket = new Socket({ fd, readable: true, writable: false });
    socket.on('data', emit);
    socket.on('error', () => undefined);
    socket.pause();
    this.#outputs.push({ fd, writeEnd, socket, emit });
    return writeEnd;
  }

  #report(nonce: string): Promise<BashReport> {
    return new Promise((resolve) => this.#waiting.set(nonce, resolve));
  }

  #readStatus(chunk: Buffer): void {
    const lines = (this.#statusText + chunk.toString('latin1')).split('\n');
    this.#statusText = (lines.pop() ?? '').slice(-1024);
    for (const line of lines) {
      const [nonce = '', status = '0', flags = ''] = line.split(' ');
      const resolve = this.#waiting.get(nonce);
      this.#waiting.delete(nonce);
      resolve?.({ status: Number(status), flags });
    }
  }
}

/** Whether a command may be traced: `eval` would show in the trace as one more `+` before each line. */
function traces({ tracing, command }: Omit<CommandLine, 'nonce'>): boolean {
  return tracing !== '' || /\bset\b.*-(\w*x|o\s+xtrace)/s.test(command);
}

export function newNonce(): string {
  return randomBytes(12).toString('hex');
}

function exitOf(child: ChildProcess): Promise<BashExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 127, signal: null }));
  });
}

function readAvailable(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer, 0, buffer.length, null);
  } catch {
    // EAGAIN means that nothing more has come.
    return 0;
  }
}
