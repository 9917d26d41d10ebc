import { Gauge, type Registry } from 'prom-client';

/** How many of a thing there are, by its state. */
export type Counts = Readonly<Record<string, number>>;

export interface PartMetrics {
  /** Says how the sandbox pool's figures are read. */
  readonly readPool: (read: () => Promise<Counts> | Counts) => void;
  /** Says how the parts that this process needs are looked at: true for one that answers. */
  readonly readParts: (read: () => Promise<Readonly<Record<string, boolean>>>) => void;
}

export function partMetrics(registry: Registry): PartMetrics {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    label: string,
  ): ((read: () => Promise<Counts> | Counts) => void) => {
    let read: (() => Promise<Counts> | Counts) | undefined;
    // It registers itself.
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset();
        const counts = await Promise.resolve(read?.()).catch(() => undefined);
        for (const [state, count] of Object.entries(counts ?? {})) this.set({ [label]: state }, count);
      },
    });
    return (source) => {
      read = source;
    };
  };
  const readPool = gauge(
    'steadyhand_sandbox_pool',
    'The sandbox pool of the installation: members, places, used, free, waiting, draining, lost. Each process tells the same.',
    'state',
  );
  const readParts = gauge(
    'steadyhand_part_up',
    '1 for a part that this process needs and that answers, 0 for one that does not.',
    'part',
  );
  return {
    readPool,
    readParts: (read) =>
      readParts(async () =>
        Object.fromEntries(Object.entries(await read()).map(([part, isUp]) => [part, isUp ? 1 : 0])),
      ),
  };
}
