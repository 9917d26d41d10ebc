import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { bounded } from './bounded.ts';
import { WORK_BUCKETS } from './buckets.ts';

/** Tools that have series of their own. */
const TOOLS = 100;

export type StepOutcome = 'ok' | 'failed' | 'cancelled';

/** An attempt at a step that is under way. */
export interface StepUnderWay {
  ended(outcome: StepOutcome): void;
}

/** What came of a tool use; `refused`: a rule did not let it pass. */
export type ToolUseOutcome = 'done' | 'error' | 'interrupted' | 'unknown' | 'refused';

/** Where a worker stands. */
export interface WorkerSlots {
  readonly queue: string;
  readonly kind: 'activity' | 'workflow';
  readonly used: number;
  readonly places: number;
}

export interface StepMetrics {
  /** @param waitedSeconds from when the step was to be begun until this attempt began */
  readonly begins: (step: string, waitedSeconds: number) => StepUnderWay;
  readonly toolUsed: (tool: string, outcome: ToolUseOutcome, seconds: number) => void;
  /** Says how the worker's slots are read, whenever the metrics are asked for. */
  readonly readSlots: (read: () => readonly WorkerSlots[]) => void;
}

export function stepMetrics(registry: Registry): StepMetrics {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'steadyhand_step_seconds',
    help: 'Time of an attempt at a step of a session or a batch, by its activity and how it ended: ok, failed, cancelled.',
    labelNames: ['step', 'outcome'],
    buckets: WORK_BUCKETS,
    registers,
  });
  const waited = new Histogram({
    name: 'steadyhand_step_schedule_to_start_seconds',
    help: 'Time from when a step was scheduled until a worker began it.',
    labelNames: ['step'],
    buckets: WORK_BUCKETS,
    registers,
  });
  const running = new Gauge({
    name: 'steadyhand_steps_running',
    help: 'Steps that this process works at.',
    labelNames: ['step'],
    registers,
  });
  const tools = new Counter({
    name: 'steadyhand_tool_uses_total',
    help: 'Tool uses by how they ended: done, error (the tool said so), interrupted, unknown, refused (by a rule).',
    labelNames: ['tool', 'outcome'],
    registers,
  });
  const toolSeconds = new Histogram({
    name: 'steadyhand_tool_use_seconds',
    help: 'Time of a tool use, that of making its sandbox included.',
    labelNames: ['tool'],
    buckets: WORK_BUCKETS,
    registers,
  });
  let read: (() => readonly WorkerSlots[]) | undefined;
  const slots = (state: 'used' | 'places', help: string): void => {
    // It registers itself.
    new Gauge({
      name: state === 'used' ? 'steadyhand_worker_slots_used' : 'steadyhand_worker_slots',
      help,
      labelNames: ['queue', 'kind'],
      registers,
      collect() {
        this.reset();
        for (const { queue, kind, [state]: value } of read?.() ?? []) this.set({ queue, kind }, value);
      },
    });
  };
  slots(
    'places',
    'Tasks that the Temporal worker takes at a time, by its task queue: of activities and of workflows.',
  );
  slots('used', 'Tasks that the Temporal worker has in hand.');
  const toolOf = bounded(TOOLS);
  return {
    begins(step, waitedSeconds) {
      const began = performance.now();
      waited.observe({ step }, Math.max(0, waitedSeconds));
      running.inc({ step });
      return {
        ended(outcome) {
          running.dec({ step });
          seconds.observe({ step, outcome }, (performance.now() - began) / 1000);
        },
      };
    },
    toolUsed(name, outcome, length) {
      const tool = toolOf(name);
      tools.inc({ tool, outcome });
      toolSeconds.observe({ tool }, length);
    },
    readSlots(source) {
      read = source;
    },
  };
}
