import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { StoreFigures } from '@steadyhand/store';
import { SHORT_BUCKETS } from './buckets.ts';
import { remembered } from './remembered.ts';

/** How long figures of the whole installation are kept, which every process asks the store for. */
const KEPT_MS = 5000;

const STATUSES = ['idle', 'running', 'rescheduling', 'terminated'] as const;

export interface StoreMetrics {
  readonly operation: (name: string, outcome: 'ok' | 'failed', seconds: number) => void;
  readonly appended: (type: string) => void;
  /** Says how the figures of the whole installation are read. */
  readonly readFigures: (read: () => Promise<StoreFigures>) => void;
}

export function storeMetrics(registry: Registry): StoreMetrics {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'steadyhand_store_seconds',
    help: 'Time of an operation of the store, by its name and how it ended: ok, failed.',
    labelNames: ['operation', 'outcome'],
    buckets: SHORT_BUCKETS,
    registers,
  });
  const events = new Counter({
    name: 'steadyhand_event_log_events_total',
    help: 'Events that this process has appended to event logs, by type.',
    labelNames: ['type'],
    registers,
  });
  let read: (() => Promise<StoreFigures | undefined>) | undefined;
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    set: (gauge: Gauge, figures: StoreFigures) => void,
  ): void => {
    // It registers itself.
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers,
      async collect() {
        this.reset();
        const figures = await read?.();
        if (figures !== undefined) set(this, figures);
        // Without labels, a gauge that was reset would say 0.
        else if (labelNames.length === 0) this.remove();
      },
    });
  };
  gauge(
    'steadyhand_sessions',
    'Sessions of the installation by status, archived ones left out. Each process tells the same.',
    ['status'],
    (into, { sessions }) => STATUSES.forEach((status) => into.set({ status }, sessions[status] ?? 0)),
  );
  gauge(
    'steadyhand_outbox_events',
    'Accepted events of the installation that no workflow was told of yet. Each process tells the same.',
    [],
    (into, { outbox }) => into.set(outbox.events),
  );
  gauge(
    'steadyhand_outbox_oldest_seconds',
    'How old the oldest of these events is; 0 without any.',
    [],
    (into, { outbox }) =>
      into.set(
        outbox.oldest_at === null ? 0 : Math.max(0, (Date.now() - Date.parse(outbox.oldest_at)) / 1000),
      ),
  );
  return {
    operation: (operation, outcome, length) => seconds.observe({ operation, outcome }, length),
    appended: (type) => events.inc({ type }),
    readFigures(source) {
      read = remembered(source, KEPT_MS);
    },
  };
}
