import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What a part of the cluster is and how it is started.
 * @typedef {object} PartOptions
 * @property {string} name such as `worker-2`
 * @property {string} program
 * @property {readonly string[]} args
 * @property {NodeJS.ProcessEnv} env
 * @property {string} log the file that its output is appended to
 * @property {string} [cwd]
 * @property {(since: string) => boolean | Promise<boolean>} ready whether it serves; `since` is what it has written since it was started
 * @property {NodeJS.Signals} [stopSignal]
 * @property {number} [startLimitMs] a start that takes longer has failed
 */

const LOOK_MS = 50;
const AGAIN_MS = 500;
const START_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 60_000;

/**
 * One process of the cluster, which is started again whenever it ends without having been asked to, as a container's supervisor
 * does. A kill or a stop that is asked for here lasts until the next start.
 */
export class Part {
  #options;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #wanted = false;
  #serves = false;
  #paused = false;
  #starts = 0;
  #from = 0;
  #changed;

  /**
   * @param {PartOptions} options
   * @param {(line?: string) => void} [changed] hears of each process that serves, and in words of ends that nobody asked for
   */
  constructor(options, changed = () => undefined) {
    this.#options = options;
    this.#changed = changed;
    fs.mkdirSync(path.dirname(options.log), { recursive: true });
  }

  get name() {
    return this.#options.name;
  }

  get pid() {
    return this.#alive() ? this.#child?.pid : undefined;
  }

  get log() {
    return this.#options.log;
  }

  /** @returns {'serves' | 'starts' | 'paused' | 'stopped'} */
  get state() {
    if (!this.#wanted) return 'stopped';
    if (this.#paused) return 'paused';
    return this.#serves && this.#alive() ? 'serves' : 'starts';
  }

  /** How often its process was started. */
  get starts() {
    return this.#starts;
  }

  /** Starts it and waits until it serves. Another start is tried when it ends before that, until the time is over. */
  async start() {
    if (this.#wanted) return;
    this.#wanted = true;
    const limit = Date.now() + (this.#options.startLimitMs ?? START_LIMIT_MS);
    this.#spawn();
    while (this.#wanted && !this.#serves) {
      if (Date.now() > limit) {
        await this.kill();
        throw new Error(
          `${this.name} does not serve; the end of ${this.log}:\n${this.#written().slice(-2000)}`,
        );
      }
      await pause(LOOK_MS);
    }
  }

  /** SIGTERM, and SIGKILL to what has not ended in a minute. */
  async stop() {
    this.#wanted = false;
    await this.#end(this.#options.stopSignal ?? 'SIGTERM');
  }

  /** SIGKILL. It stays away until the next start. */
  async kill() {
    this.#wanted = false;
    await this.#end('SIGKILL');
  }

  /** SIGSTOP: it is there and does nothing. */
  pause() {
    this.#paused = true;
    this.#child?.kill('SIGSTOP');
  }

  continue() {
    this.#paused = false;
    this.#child?.kill('SIGCONT');
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#child;
    if (child === undefined || !this.#alive()) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    this.continue();
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(late);
  }

  #alive() {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  #spawn() {
    const { name, program, args, env, cwd, log } = this.#options;
    const file = fs.openSync(log, 'a', 0o600);
    this.#from = fs.fstatSync(file).size;
    this.#serves = false;
    this.#starts += 1;
    // In a session of its own, so that Ctrl-C reaches the script alone, which ends the parts in order.
    const child = spawn(program, args, { env, cwd, detached: true, stdio: ['ignore', file, file] });
    fs.closeSync(file);
    this.#child = child;
    const again = (/** @type {string} */ how) => {
      if (this.#child !== child || !this.#wanted) return;
      if (this.#serves) this.#changed(`${name} ended (${how}) and is started again`);
      setTimeout(() => {
        if (this.#child === child && this.#wanted) this.#spawn();
      }, AGAIN_MS);
    };
    child.once('error', (error) => {
      fs.appendFileSync(log, `${error.message}\n`);
      again(error.message);
    });
    child.once('exit', (code, signal) => again(signal ?? `code ${code}`));
    void this.#look(child);
  }

  /**
   * Looks at a process until it serves, has ended, or has been replaced.
   * @param {import('node:child_process').ChildProcess} child
   */
  async #look(child) {
    while (this.#child === child && this.#alive()) {
      const ready = await Promise.resolve(this.#options.ready(this.#written())).catch(() => false);
      if (ready && this.#child === child) {
        this.#serves = true;
        this.#changed();
        return;
      }
      await pause(LOOK_MS);
    }
  }

  /** What it has written since it was started. */
  #written() {
    const file = fs.openSync(this.log, 'r');
    try {
      const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(file).size - this.#from));
      fs.readSync(file, bytes, 0, bytes.length, this.#from);
      return bytes.toString('utf8');
    } finally {
      fs.closeSync(file);
    }
  }
}
