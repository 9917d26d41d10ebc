import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { processEnd } from '../process-end.ts';
import { sendSignal } from '../process-tree.ts';

export const X_SERVER = 'Xvfb';
const START_MS = 15_000;
const PID_LINE = /^pid (\d+)$/;

/** In pixels. */
export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** A program that runs. */
export interface Running {
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<unknown>;
}

export interface XServer extends Running {
  /** Resolves when the server accepts connections; rejects when it ends before. */
  readonly ready: Promise<void>;
}

/** The command line of an X server. When it accepts connections it writes its number to its standard output, as a line. */
export function xServerCommand(number: number, { width, height }: ScreenSize, program = X_SERVER): string[] {
  // GLX would load Mesa and its compiler into every X server (50 MB and 150 ms), for what EGL does without the server.
  const options = ['-nolisten', 'tcp', '-noreset', '-ac', '-extension', 'GLX', '-displayfd', '1'];
  return [program, `:${number}`, '-screen', '0', `${width}x${height}x24`, ...options];
}

export function startXServer(number: number, size: ScreenSize): XServer {
  const [program = '', ...args] = xServerCommand(number, size);
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    cwd: process.env['HOME'] ?? '/',
  });
  const failed = once(child, 'error').then(([error]) => (error as Error).message);
  const ended = Promise.race([
    failed,
    processEnd(child).then(({ code }) => `${X_SERVER} ended with code ${code}`),
  ]);
  const lines = linesOf(child.stdout, child.stderr);
  return { ready: readyAt(number, lines, ended), ended, kill: (signal) => void child.kill(signal) };
}

/**
 * The X server that was started before this process: the pipe with this descriptor carries a line `pid <pid>`, and what the
 * server writes. It is nobody's child here; that it ended shows by the pipe's end.
 */
export function adoptXServer(number: number, descriptor: number): XServer {
  const output = new Socket({ fd: descriptor, readable: true, writable: false });
  const lines = linesOf(output);
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    output.once('close', () => {
      hasEnded = true;
      resolve(`${X_SERVER} ended`);
    });
  });
  const pid = new Promise<number>((resolve) => {
    lines.on((line) => {
      const [, found] = PID_LINE.exec(line) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return {
    ready: readyAt(number, lines, ended),
    ended,
    kill(signal) {
      void pid.then((found) => {
        if (!hasEnded) sendSignal(found, signal);
      });
    },
  };
}

interface Lines {
  on(listener: (line: string) => void): void;
}

/** The lines of streams, which are read to their ends whoever listens: a server that cannot write would stop. */
function linesOf(...streams: readonly Readable[]): Lines {
  const listeners: ((line: string) => void)[] = [];
  for (const stream of streams) {
    stream.on('error', () => undefined);
    createInterface({ input: stream }).on('line', (line) => listeners.forEach((listener) => listener(line)));
  }
  return { on: (listener) => void listeners.push(listener) };
}

function readyAt(number: number, lines: Lines, ended: Promise<string>): Promise<void> {
  const log: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${X_SERVER} was not ready in 15 s`)), START_MS);
    lines.on((line) => {
      if (line === String(number)) {
        clearTimeout(timer);
        resolve();
      } else if (log.length < 20 && !PID_LINE.test(line)) log.push(line);
    });
    void ended.then((how) => {
      clearTimeout(timer);
      reject(new Error(`${how}: ${log.join('\n').trim()}`));
    });
  });
  // Nobody may be waiting when it fails.
  ready.catch(() => undefined);
  return ready;
}
