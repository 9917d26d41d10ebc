import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { type DaemonTask, SPARE } from '../../daemon/daemon-task.ts';
import { type DaemonProgram, spawnDaemon } from './daemon-process.ts';

/**
 * Daemons without a sandbox that have loaded their program already, so that the next sandboxes start sooner. They end with
 * this process; one that got a sandbox outlives it, as every daemon does.
 */
export class SpareDaemons {
  readonly #program: DaemonProgram;
  readonly #wanted: () => number;
  readonly #waiting: ChildProcess[] = [];

  /** @param wanted how many there should be now */
  constructor(program: DaemonProgram, wanted: () => number) {
    this.#program = program;
    this.#wanted = wanted;
  }

  /** Starts as many as are wanted and not there, and ends those that are no longer wanted. */
  fill(): void {
    const wanted = this.#wanted();
    for (const needless of this.#waiting.splice(Math.max(0, wanted))) needless.stdin?.end();
    while (this.#waiting.length < wanted) this.#waiting.push(this.#start());
  }

  /** Gives a sandbox to one that waits; undefined when there is none. */
  take({ folder, guestEntry, place }: DaemonTask): ChildProcess | undefined {
    const spare = this.#waiting.shift();
    spare?.stdin?.end(JSON.stringify({ folder, guestEntry, place }));
    return spare;
  }

  close(): void {
    for (const spare of this.#waiting.splice(0)) spare.stdin?.end();
  }

  #start(): ChildProcess {
    // Until it has a sandbox, with a log of its own, it tells this process's log what is wrong.
    const spare = spawnDaemon(this.#program, [SPARE], { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] });
    const gone = (): void => {
      const index = this.#waiting.indexOf(spare);
      if (index >= 0) this.#waiting.splice(index, 1);
    };
    spare.once('exit', gone);
    spare.once('error', gone);
    spare.stdin?.on('error', gone);
    spare.unref();
    for (const pipe of [spare.stdio[0], spare.stdio[3]]) (pipe as Socket | null)?.unref();
    return spare;
  }
}
