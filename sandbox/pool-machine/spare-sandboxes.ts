import type { LocalHost } from '../client/hosts/local-host.ts';
import type { SandboxConfig } from '../config.ts';
import type { DaemonLog } from '../daemon-log.ts';
import { errorText } from '../error-fields.ts';
import { newSpareName, type SandboxFolders } from '../folders/sandbox-folders.ts';
import { type ComputerShape, isSameShape, shapeOf } from './computer-shape.ts';
import { ShapeHistory } from './shape-history.ts';

/** How long a sandbox has the machine to itself before the next spare one is made. */
const REFILL_MS = 1_000;

interface SpareSandboxesOptions {
  readonly dir: string;
  readonly folders: SandboxFolders;
  readonly host: LocalHost;
  /** Returns how many there should be now. */
  readonly wanted: () => number;
  /** Returns what the machine decides on itself. */
  readonly own: (name: string) => Pick<SandboxConfig, 'isolation' | 'agent_uid'>;
  /** Ends a sandbox and removes its folder. */
  readonly wipe: (name: string) => Promise<void>;
  readonly log: DaemonLog;
}

interface Spare {
  readonly name: string;
  readonly shape: ComputerShape;
  /** Whether its computer was started. */
  readonly started: Promise<boolean>;
}

/**
 * Whole sandboxes that belong to nobody yet, each with a computer that runs and shows its desktop, so that the next
 * sandbox of their shape is there at once. They end with this process, or with its next start.
 */
export class SpareSandboxes {
  readonly #options: SpareSandboxesOptions;
  readonly #history: ShapeHistory;
  #waiting: Spare[] = [];
  readonly #ending = new Set<Promise<void>>();
  #refill: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: SpareSandboxesOptions) {
    this.#options = options;
    this.#history = new ShapeHistory(options.dir, (reason) =>
      options.log.error('expected shape', { reason }),
    );
  }

  /** Removes what an earlier process left. */
  async removeLeftovers(): Promise<void> {
    const { folders, wipe, log } = this.#options;
    for (const name of await folders.spares())
      await wipe(name).catch((error: unknown) =>
        log.error('spare sandbox', { name, error: errorText(error) }),
      );
  }

  /** Makes as many as are wanted and not there, and ends those that are no longer wanted. */
  fill(): void {
    if (this.#refill !== null) clearTimeout(this.#refill);
    this.#refill = null;
    const { expected } = this.#history;
    const wanted = this.#closed ? 0 : Math.max(0, this.#options.wanted());
    const fit = this.#waiting.filter(({ shape }) => isSameShape(shape, expected)).slice(0, wanted);
    const needless = this.#waiting.filter((spare) => !fit.includes(spare));
    this.#waiting = fit;
    for (const spare of needless) this.#end(spare);
    while (this.#waiting.length < wanted) this.#waiting.push(this.#start(expected));
  }

  /** Does the same once a new sandbox has had the machine for a while. */
  fillSoon(): void {
    this.#refill ??= setTimeout(() => this.fill(), REFILL_MS).unref();
  }

  /** Gives one of its shape to a sandbox, which has its folder from then on; false where there is none. */
  async give(config: SandboxConfig, owner: string): Promise<boolean> {
    const shape = shapeOf(config);
    this.#history.add(shape);
    const spare = this.#waiting.find((each) => isSameShape(each.shape, shape));
    if (spare === undefined) return false;
    this.#waiting = this.#waiting.filter((each) => each !== spare);
    const { folders, host, own, log } = this.#options;
    try {
      if (!(await spare.started)) return false;
      const health = await host.assign(spare.name, config.id);
      // One whose computer has ended is no faster than a new one.
      if (health !== null && health.boot !== null) {
        await folders.give(spare.name, { ...config, ...own(spare.name) }, { owner });
        log.info('spare sandbox given', { id: config.id });
        return true;
      }
    } catch (error) {
      log.error('spare sandbox', { error: errorText(error) });
    }
    this.#end(spare);
    await this.#ended();
    return false;
  }

  /** Ends all, so that there is room; resolves when they have ended. */
  async drop(): Promise<void> {
    for (const spare of this.#waiting.splice(0)) this.#end(spare);
    await this.#ended();
  }

  /** Ends all, and makes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.fill();
    await this.#ended();
  }

  async #ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #start(shape: ComputerShape): Spare {
    const { folders, host, own, log } = this.#options;
    const name = newSpareName();
    const config = { ...shape, ...own(name), id: name, created_at: new Date().toISOString() };
    const start = async (): Promise<boolean> => {
      // What is being ended may use what only one can have.
      await this.#ended();
      await folders.make(config);
      await host.ensure(name);
      return true;
    };
    const spare: Spare = {
      name,
      shape,
      started: start().catch((error: unknown) => {
        log.error('spare sandbox', { error: errorText(error) });
        if (this.#waiting.includes(spare)) this.#waiting.splice(this.#waiting.indexOf(spare), 1);
        this.#end(spare);
        return false;
      }),
    };
    return spare;
  }

  #end({ name, started }: Spare): void {
    const ending = started
      .then(() => this.#options.wipe(name))
      .catch((error: unknown) => this.#options.log.error('spare sandbox', { error: errorText(error) }))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
