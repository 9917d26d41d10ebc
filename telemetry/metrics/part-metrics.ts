import { Gauge, type Registry } from 'prom-client';

/** How many of a thing there are, by its state. */
export type Counts = Readonly<Record<string, number>>;

/** Whether a process takes work, and which of the parts that it needs answer. */
interface ReadinessFigures {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean }>>;
}

export interface PartMetrics {
  /** Says how the sandbox pool's figures are read. */
  readonly readPool: (read: () => Promise<Counts> | Counts) => void;
  /** Says how it is looked at whether this process is ready, and at the parts that it needs. */
  readonly readReadiness: (read: () => Promise<ReadinessFigures>) => void;
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
    'The sandbox pool of the installation: members, away and draining are machines; places, used and free are places; waiting and lost are sandboxes.',
    'state',
  );
  const readParts = gauge(
    'steadyhand_part_up',
    '1 for a part that this process needs and that answers, 0 for one that does not, as /readyz looks at them.',
    'part',
  );
  let isReady: (() => Promise<boolean>) | undefined;
  // It registers itself.
  new Gauge({
    name: 'steadyhand_ready',
    help: '1 while this process takes work, as /readyz says.',
    registers,
    async collect() {
      this.set((await isReady?.()) === true ? 1 : 0);
    },
  });
  return {
    readPool,
    readReadiness(read) {
      isReady = async () => (await read()).ready;
      readParts(async () => {
        const { checks } = await read();
        return Object.fromEntries(Object.entries(checks).map(([part, { ok }]) => [part, ok ? 1 : 0]));
      });
    },
  };
}
