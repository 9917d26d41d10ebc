import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { isMachineId } from '../pool-machine/protocol.ts';
import { isNumber, isObject, isRecordOf, isText } from '../record-file.ts';
import { writeWholeSync } from '../whole-file.ts';
import type { KnownMachine } from './registry.ts';

type Stored = Omit<KnownMachine, 'seen' | 'silentMs'>;

/** The machines of a pool, a file each: every process of the data folder knows them, also after a restart. */
export class MachineFolder {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  all(): KnownMachine[] {
    return this.#names().flatMap((name) => this.find(name) ?? []);
  }

  find(member: string): KnownMachine | null {
    try {
      const file = this.#file(member);
      const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
      const { mtimeMs } = statSync(file);
      return isStored(stored) ? { ...stored, seen: mtimeMs, silentMs: Date.now() - mtimeMs } : null;
    } catch {
      // The file is missing or damaged. The machine registers again within seconds.
      return null;
    }
  }

  /** Records a machine. An unchanged machine registers every few seconds; only the time of its file is set then. */
  put(machine: Stored): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const file = this.#file(machine.member);
    const text = JSON.stringify(machine);
    if (textOrNull(file) !== text) writeWholeSync(file, text);
    const now = Date.now() / 1000;
    utimesSync(file, now, now);
  }

  remove(member: string): void {
    rmSync(this.#file(member), { force: true });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir)
        .map((name) => name.replace(/\.json$/, ''))
        .filter(isMachineId);
    } catch {
      return [];
    }
  }

  #file(member: string): string {
    return join(this.#dir, `${member}.json`);
  }
}

/** Whether it is what this release writes; an earlier one's is replaced at the machine's next registration. */
function isStored(value: unknown): value is Stored {
  return isRecordOf(value, {
    member: isText,
    capacity: isNumber,
    sandboxes: Array.isArray,
    address: isObject,
  });
}

function textOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
