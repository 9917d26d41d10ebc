import {
  environmentOf,
  listPids,
  type ProcessEntry,
  processesOf,
  readProcess,
  userOf,
} from '../../process-tree.ts';

/**
 * This variable identifies the processes of a command: each command sets a value of its own, which its programs
 * inherit.
 */
export const MARK = 'STEADYHAND_COMMAND';

const keyOf = ({ pid, startTime }: ProcessEntry): string => `${pid} ${startTime}`;

function living(): ProcessEntry[] {
  return listPids()
    .map(readProcess)
    .filter((entry) => entry !== null)
    .filter(({ state }) => state !== 'Z');
}

/**
 * Finds the processes that one command of a shell has started, wherever they have gone: below the shell, in sessions of
 * their own, or handed to the first process by a parent that ended.
 */
export class CommandProcesses {
  readonly #shell: number;
  readonly #mark: string;
  readonly #before: ReadonlySet<string>;

  /** This is made before the command starts. `mark` is the command's value of MARK. */
  constructor(shell: number, mark: string) {
    this.#shell = shell;
    this.#mark = `${MARK}=${mark}`;
    this.#before = new Set(living().map(keyOf));
  }

  /**
   * Returns the living processes of the command, identified by their parents, their session, or what they have
   * inherited.
   */
  own(): ProcessEntry[] {
    const below = new Set(processesOf(this.#shell).map(keyOf));
    const shell = environmentOf(this.#shell).join('\0');
    return this.#fresh().filter((entry) => {
      if (below.has(keyOf(entry))) return true;
      const environment = environmentOf(entry.pid);
      // A fork of the shell that has not executed a program has the shell's own environment.
      return environment.includes(this.#mark) || (shell !== '' && environment.join('\0') === shell);
    });
  }

  /**
   * Returns processes that started meanwhile and whose origin cannot be determined: their parent has ended, and they
   * inherited nothing. This makes sense only where all processes of this user are the agent's.
   */
  unattributed(): ProcessEntry[] {
    const own = new Set(this.own().map(keyOf));
    const all = new Map(living().map((entry) => [entry.pid, entry]));
    const isOrphan = ({ parent }: ProcessEntry): boolean => {
      // A process below this one was started for the other tools. One below a process that lived before belongs to that
      // one.
      for (let at = parent; at > 1; at = all.get(at)?.parent ?? 0) {
        const entry = all.get(at);
        if (at === process.pid || (entry !== undefined && this.#before.has(keyOf(entry)))) return false;
      }
      return true;
    };
    return this.#fresh().filter(
      (entry) =>
        !own.has(keyOf(entry)) &&
        isOrphan(entry) &&
        userOf(entry.pid) === process.getuid?.() &&
        environmentOf(entry.pid).every((variable) => !variable.startsWith(`${MARK}=`)),
    );
  }

  #fresh(): ProcessEntry[] {
    return living().filter((entry) => !this.#before.has(keyOf(entry)) && entry.pid !== this.#shell);
  }
}
