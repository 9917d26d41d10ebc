/** Rows as workflows: each row's machine, and each child machine that runs as a workflow of its own. */
import { proxySinks, workflowInfo, type Sinks } from '@temporalio/workflow';
import type { AnyStateMachine } from 'xstate';
import {
  activity,
  childMachine,
  inProcess,
  localActivity,
  machineWorkflow,
  type ActorSpec,
} from '../../../statechart/workflow/index.ts';
import type { Row } from './row.ts';

export interface TraceSinks extends Sinks {
  /** Says what a custom action did, and how many did something before it in this run. */
  readonly trace: { note(place: number, text: string): void };
}

const { trace } = proxySinks<TraceSinks>();

/** The workflow of the types `MODE|ROW`, or `MODE|ROW|SOURCE` for a child machine. */
export function rowWorkflow(rows: readonly Row[]): (start: never) => Promise<unknown> {
  return async (start) => {
    const { workflowType } = workflowInfo();
    const [mode = '', name = '', source] = workflowType.split('|');
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`no row '${name}'`);
    let noted = 0;
    const whole = row.machine((text) => trace.note(noted++, text));
    const sources = whole.implementations.actors as Readonly<Record<string, AnyStateMachine>>;
    const machine = source === undefined ? whole : sources[source];
    if (machine === undefined) throw new Error(`no source '${source}' in the row '${name}'`);
    const workflow = machineWorkflow(machine, {
      actors: specsOf(row, mode),
      ...(mode === 'continued' ? { continueAsNew: { after: 1 } } : {}),
    });
    return (await workflow(start)) as unknown;
  };
}

function specsOf(row: Row, mode: string): Readonly<Record<string, ActorSpec>> {
  const sources = Object.keys(row.sources ?? {}).map((name): [string, ActorSpec] => {
    const type = `${row.name}|${name}`;
    const options = { startToCloseTimeout: '5 minutes', retry: { maximumAttempts: 1 } } as const;
    return [
      name,
      row.kinds?.[name] === 'local-activity' ? localActivity(type, options) : activity(type, options),
    ];
  });
  const children = Object.entries(row.kinds ?? {}).flatMap(([name, kind]): [string, ActorSpec][] =>
    kind === 'child-machine' ? [[name, childMachine(`${mode}|${row.name}|${name}`)]] : [],
  );
  return { '*': inProcess(), ...Object.fromEntries([...sources, ...children]) };
}
