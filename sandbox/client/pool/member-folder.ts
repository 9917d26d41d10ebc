import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemberState } from '../../member/protocol.ts';
import type { Address } from '../secure-wire.ts';

/** What is known of a member. */
export interface PoolMember extends MemberState {
  readonly address: Address;
  /** When it was heard of last, in milliseconds since the epoch. */
  readonly seen: number;
}

const NAME = /^mem_[0-9a-f]{24}$/;

export function isMemberId(id: string): boolean {
  return NAME.test(id);
}

/** The members of a pool, a file each: every process of the data folder knows them, and a server that starts anew does. */
export class MemberFolder {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  all(): PoolMember[] {
    return this.#names().flatMap((name) => this.find(name) ?? []);
  }

  find(member: string): PoolMember | null {
    try {
      return JSON.parse(readFileSync(this.#file(member), 'utf8')) as PoolMember;
    } catch {
      // Not there, or being removed; a half of one is never seen.
      return null;
    }
  }

  put(member: PoolMember): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const draft = join(this.#dir, `.${member.member}.${process.pid}.draft`);
    writeFileSync(draft, JSON.stringify(member), { mode: 0o600 });
    renameSync(draft, this.#file(member.member));
  }

  remove(member: string): void {
    rmSync(this.#file(member), { force: true });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir)
        .map((name) => name.replace(/\.json$/, ''))
        .filter(isMemberId);
    } catch {
      return [];
    }
  }

  #file(member: string): string {
    return join(this.#dir, `${member}.json`);
  }
}
