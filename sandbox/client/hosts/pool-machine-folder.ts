import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolMachineState } from '../../pool-machine/protocol.ts';
import { writeWholeSync } from '../../whole-file.ts';
import type { Address } from '../connection/tls-transport.ts';

/** What is known of a pool machine. */
export interface KnownMachine extends PoolMachineState {
  readonly address: Address;
  /** When it last registered or answered, in milliseconds since the epoch. */
  readonly seen: number;
}

const NAME = /^mem_[0-9a-f]{24}$/;

export function isPoolMachineId(id: string): boolean {
  return NAME.test(id);
}

/** The machines of a pool, a file each: every process of the data folder knows them, also after a restart. */
export class PoolMachineFolder {
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
      const known = JSON.parse(readFileSync(file, 'utf8')) as Omit<KnownMachine, 'seen'>;
      return { ...known, seen: statSync(file).mtimeMs };
    } catch {
      // The file is missing or damaged. The machine registers again within seconds.
      return null;
    }
  }

  /** Records a machine. An unchanged machine registers every few seconds; only the time of its file is set then. */
  put({ seen, ...member }: KnownMachine): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const file = this.#file(member.member);
    const text = JSON.stringify(member);
    if (textOrNull(file) !== text) writeWholeSync(file, text);
    utimesSync(file, seen / 1000, seen / 1000);
  }

  remove(member: string): void {
    rmSync(this.#file(member), { force: true });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir)
        .map((name) => name.replace(/\.json$/, ''))
        .filter(isPoolMachineId);
    } catch {
      return [];
    }
  }

  #file(member: string): string {
    return join(this.#dir, `${member}.json`);
  }
}

function textOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
