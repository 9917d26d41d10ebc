import { createRequire } from 'node:module';
import type * as Wasi from 'node:wasi';
import { Worker } from 'node:worker_threads';

/** How long the process may take to end. */
const TIMEOUT_MS = 2_000;

/**
 * A WebAssembly module that asks WASI to end the process as soon as it is started. `code` is 0 to 63.
 *
 * (module (import "wasi_snapshot_preview1" "proc_exit" (func (param i32))) (memory (export "memory") 0)
 *   (func (export "_start") (call 0 (i32.const code))))
 */
function exitModule(code: number): Uint8Array<ArrayBuffer> {
  const text = (name: string): readonly number[] => [name.length, ...Buffer.from(name)];
  const section = (id: number, ...content: readonly number[]): readonly number[] => [
    id,
    content.length,
    ...content,
  ];
  return Uint8Array.from([
    ...MAGIC,
    ...section(1, 2, 0x60, 1, 0x7f, 0, 0x60, 0, 0),
    ...section(2, 1, ...text('wasi_snapshot_preview1'), ...text('proc_exit'), 0, 0),
    ...section(3, 1, 1),
    ...section(5, 1, 0, 0),
    ...section(7, 2, ...text('memory'), 2, 0, ...text('_start'), 0, 1),
    ...section(10, 1, 6, 0, 0x41, code, 0x10, 0, 0x0b),
  ]);
}

/** The head of a WebAssembly file: `\0asm`, version 1. */
const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** A function of Node 22.15 and 23.11 that replaces this process's program by another. */
type Execve = (file: string, args: readonly string[], env: Readonly<Record<string, string>>) => never;

/**
 * Ends the process while a thread is inside a run that never ends, for which `process.exit` would wait. Replacing the program
 * by another waits for no thread. Where Node cannot do that, WASI's own exit does not wait either, but it frees memory that the
 * thread uses, so a signal may end the process. All data must have been written before. Listeners of `exit` are called.
 */
export async function endWithThreads(code: number): Promise<void> {
  process.emit('exit', code);
  const { execve } = process as { execve?: Execve };
  execve?.(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {});
  await startKiller();
  // The thread may fault on the freed memory; that signal must not become the process's end.
  for (const signal of ['SIGSEGV', 'SIGBUS'] as const) process.on(signal, () => undefined);
  // This loads synchronously, so that the warning that WASI is experimental is never printed.
  const { WASI } = createRequire(import.meta.url)('node:wasi') as typeof Wasi;
  const wasi = new WASI({ version: 'preview1', returnOnExit: false });
  const module = new WebAssembly.Module(exitModule(code));
  wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport }));
}

/** Starts a thread that kills the process if it still runs after two seconds. */
async function startKiller(): Promise<void> {
  const script = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${TIMEOUT_MS})`;
  const worker = new Worker(script, { eval: true, execArgv: [] });
  await new Promise((resolve) => worker.once('online', resolve).once('error', resolve));
}
