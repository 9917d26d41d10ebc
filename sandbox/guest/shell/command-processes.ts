import {
  environmentOf,
  listPids,
  type ProcessEntry,
  processesOf,
  readProcess,
  userOf,
} from '../../process-tree.ts';

/** The variable by which the processes of a command are told: each command has a value of its own, which its programs inherit. */
export const MARK = 'STEADYHAND_COMMAND';

const keyOf = ({ pid, startTime }: ProcessEntry): string => `${pid} ${startTime}`;

function living(): ProcessEntry[] {
  return listPids()
    .map(readProcess)
    .filter((entry) => entry !== null)
    .filter(({ state }) => state !== 'Z');
}

/**
 * The processes that one command of a shell has started, wherever they have gone: below the shell, in sessions of their own, or
 * handed to the first process by a parent that ended.
 */
export class CommandProcesses {
  readonly #shell: number;
  readonly #mark: string;
  readonly #before: ReadonlySet<string>;

  /** Made before the command is. `mark` is its value of MARK. */
  constructor(shell: number, mark: string) {
    this.#shell = shell;
    this.#mark = `${MARK}=${mark}`;
    this.#before = new Set(living().map(keyOf));
  }

  /** Those that live, told by their parents, their session, or what they have inherited. */
  own(): ProcessEntry[] {
    const below = new Set(processesOf(this.#shell).map(keyOf));
    const shell = environmentOf(this.#shell).join('\0');
    return this.#fresh().filter((entry) => {
      if (below.has(keyOf(entry))) return true;
      const environment = environmentOf(entry.pid);
      // A part of the shell that no program has taken the place of has the shell's own.
      return environment.includes(this.#mark) || (shell !== '' && environment.join('\0') === shell);
    });
  }

  /**
   * Those that came meanwhile, and of which nothing tells where from: their parent has ended, and they inherited nothing. For a
   * computer whose processes of this user are all the agent's.
   */
  unattributed(): ProcessEntry[] {
    const own = new Set(this.own().map(keyOf));
    const all = new Map(living().map((entry) => [entry.pid, entry]));
    const isOrphan = ({ parent }: ProcessEntry): boolean => {
      // Below this process is what was started for the other tools; below another that lived before, that one's.
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
