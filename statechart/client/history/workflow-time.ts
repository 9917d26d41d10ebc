/**
 * Runs `work` as in a workflow, whose clock stands still during a task: actions and guards that ask for the time get the one that
 * they got then. Nothing else can run meanwhile, because `work` is not asynchronous.
 */
export function atWorkflowTime<T>(now: number, work: () => T): T {
  const RealDate = globalThis.Date;
  class WorkflowDate extends RealDate {
    constructor(...args: readonly unknown[]) {
      if (args.length === 0) super(now);
      else super(...(args as [number]));
    }
    static override now(): number {
      return now;
    }
  }
  globalThis.Date = WorkflowDate as DateConstructor;
  try {
    return work();
  } finally {
    globalThis.Date = RealDate;
  }
}
