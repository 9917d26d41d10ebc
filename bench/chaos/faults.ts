import type { Cluster } from '../../scripts/lib/cluster/cluster.mjs';

/** One fault: what is done, and how long it lasts before it is undone. */
export interface Fault {
  /** Such as `kill -9`. */
  readonly kind: string;
  /** The part or link that has it: one fault at a time. */
  readonly target: string;
  readonly lastsMs: number;
  begin(): Promise<void>;
  end(): Promise<void>;
}

type Random = () => number;

/** The faults of a run, drawn by a seed: the same seed draws the same faults at the same distances. */
export class Faults {
  readonly #cluster: Cluster;
  readonly #random: Random;

  constructor(cluster: Cluster, random: Random) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** The milliseconds until the next fault. */
  pauseMs(): number {
    return 2000 + Math.round(this.#random() * 8000);
  }

  next(): Fault {
    const at = this.#random();
    if (at < 0.2) return this.#kill('worker');
    if (at < 0.32) return this.#kill('server');
    if (at < 0.38) return this.#kill('member');
    if (at < 0.41) return this.#kill('inference');
    if (at < 0.44) return this.#restart('temporal');
    if (at < 0.47) return this.#restart('postgres');
    if (at < 0.5) return this.#gone('s3', 60_000);
    if (at < 0.65) return this.#pause(this.#oneOf(['worker', 'server', 'member']));
    if (at < 0.75) return this.#roll();
    if (at < 0.87) return this.#cut();
    if (at < 0.95) return this.#slow();
    return this.#clock();
  }

  #kill(role: string): Fault {
    const process = this.#cluster.process(this.#one(role));
    return {
      kind: 'kill -9',
      target: process.name,
      lastsMs: this.#upTo(4000),
      begin: () => process.kill(),
      end: () => process.start(),
    };
  }

  /** SIGTERM and a start, as in a deploy. */
  #roll(): Fault {
    const process = this.#cluster.process(this.#one(this.#oneOf(['worker', 'server'])));
    return {
      kind: 'SIGTERM',
      target: process.name,
      lastsMs: this.#upTo(2000),
      begin: () => process.stop(),
      end: () => process.start(),
    };
  }

  #restart(name: string): Fault {
    const process = this.#cluster.process(name);
    return {
      kind: 'restart',
      target: name,
      lastsMs: this.#upTo(3000),
      begin: () => (this.#random() < 0.5 ? process.kill() : process.stop()),
      end: () => process.start(),
    };
  }

  #gone(name: string, lastsMs: number): Fault {
    const process = this.#cluster.process(name);
    return {
      kind: 'gone',
      target: name,
      lastsMs,
      begin: () => process.kill(),
      end: () => process.start(),
    };
  }

  #pause(role: string): Fault {
    const process = this.#cluster.process(this.#one(role));
    return {
      kind: 'SIGSTOP',
      target: process.name,
      lastsMs: 1000 + this.#upTo(9000),
      begin: () => Promise.resolve(process.pause()),
      end: () => Promise.resolve(process.continue()),
    };
  }

  #cut(): Fault {
    const { name, faults } = this.#link();
    const refuse = this.#random() < 0.3;
    return {
      kind: refuse ? 'refuse' : 'cut',
      target: name,
      lastsMs: 1000 + this.#upTo(11_000),
      begin: () => Promise.resolve(refuse ? faults.refuse() : faults.cut()),
      end: () => Promise.resolve(faults.heal()),
    };
  }

  #slow(): Fault {
    const { name, faults } = this.#link();
    const delayMs = 20 + this.#upTo(300);
    return {
      kind: 'slow',
      target: name,
      lastsMs: 5000 + this.#upTo(15_000),
      begin: () => {
        faults.delayMs = delayMs;
        return Promise.resolve();
      },
      end: () => Promise.resolve(faults.heal()),
    };
  }

  #clock(): Fault {
    const name = this.#oneOf(this.#cluster.clocks);
    const seconds = Math.round((this.#random() - 0.5) * 240);
    return {
      kind: 'clock',
      target: name,
      lastsMs: 5000 + this.#upTo(20_000),
      begin: () => Promise.resolve(this.#cluster.moveClock(name, seconds)),
      end: () => Promise.resolve(this.#cluster.moveClock(name, 0)),
    };
  }

  #link(): { name: string; faults: ReturnType<Cluster['link']> } {
    const name = this.#oneOf(this.#cluster.links);
    const [from = '', to = ''] = name.split('>');
    return { name, faults: this.#cluster.link(from, to) };
  }

  #one(role: string): string {
    return this.#oneOf(
      this.#cluster.status.map(({ name }) => name).filter((name) => name.startsWith(`${role}-`)),
    );
  }

  #upTo(ms: number): number {
    return Math.round(this.#random() * ms);
  }

  #oneOf(list: readonly string[]): string {
    const one = list[Math.floor(this.#random() * list.length)];
    if (one === undefined) throw new Error('there is nothing to choose from');
    return one;
  }
}
