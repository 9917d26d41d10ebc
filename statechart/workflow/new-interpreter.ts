import { log, workflowInfo } from '@temporalio/workflow';
import { Interpreter } from '../core/interpreter.ts';
import type { Lineage } from './lineage.ts';
import type { CarriedRun, MachineStart } from './machine-start.ts';

interface NewInterpreterOptions {
  readonly lineage: Lineage;
  readonly start: MachineStart;
  readonly maxMicrosteps: number | undefined;
}

/**
 * Makes the machine of a run with what a workflow has for it.
 *
 * @param carried What an earlier run has handed over; without it the machine begins with its input.
 * @param wake Is called when an actor within the workflow has done something.
 */
export function newInterpreter(
  { lineage, start, maxMicrosteps }: NewInterpreterOptions,
  carried: CarriedRun | undefined,
  wake: () => void,
): Interpreter {
  return new Interpreter({
    machine: lineage.current.prepared,
    workflowId: workflowInfo().workflowId,
    now: () => Date.now(),
    wake,
    log: (...message: unknown[]) => log.info(message.map(String).join(' ')),
    ...(start.parent === undefined ? {} : { parent: start.parent.address }),
    ...(maxMicrosteps === undefined ? {} : { maxMicrosteps }),
    ...(carried === undefined ? { input: start.input } : { carried }),
  });
}
