import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryMib } from '../lib/processes.ts';
import type { Host } from './host.ts';
import { round3 } from '../lib/figures.ts';

/** One actor that takes a great many events, over as many runs as that needs. */
export interface ManyEvents {
  readonly events: number;
  /** What the machine counted at its end. */
  readonly counted: number;
  readonly runs: number;
  /** Events of history: of the longest run, and of the median run but for the last. */
  readonly longestHistory: number;
  readonly medianHistory: number;
  /** Bytes of the first and the last run's start argument. */
  readonly carriedBytes: { readonly second: number; readonly last: number };
  /** MiB at tenths of the way: what the whole process holds, engine and worker, and of it the heap of engine and client. */
  readonly memory: readonly { readonly process: number; readonly heap: number }[];
  readonly eventsPerSecond: number;
  /** Milliseconds of the processor an event. */
  readonly cpuPerEvent: number;
}

/**
 * Sends the events by signal, a batch at once. The last of each batch is an update, which answers when all are taken: a client
 * that never waits would outrun any workflow, whose every task has a time limit.
 */
export async function manyEvents(host: Host, events: number, batch = 100): Promise<ManyEvents> {
  const handle = await host.start('machineCounter');
  const began = performance.now();
  const start = process.cpuUsage();
  const memory: { process: number; heap: number }[] = [];
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const event = { type: 'add', by: 1 };
  for (let sent = 0; sent < events; sent += batch) {
    const signals = Array.from({ length: batch - 1 }, () => handle.signal('send', event));
    await Promise.all(signals);
    await handle.executeUpdate('send', { args: [event] });
    if (Math.floor(((sent + batch) * 10) / events) > memory.length) {
      collect();
      const heap = Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
      memory.push({ process: Math.round(memoryMib(process.pid, 'RssAnon')), heap });
      console.log(`${sent + batch} events, ${JSON.stringify(memory.at(-1))} MiB`);
    }
  }
  await handle.signal('send', { type: 'close' });
  const counted = (await handle.result()) as number;
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(start);
  const runs = await runsOf(host, handle.workflowId);
  const lengths = runs.map(({ length }) => length);
  const whole = lengths.slice(0, -1).toSorted((a, b) => a - b);
  return {
    events,
    counted,
    runs: runs.length,
    longestHistory: Math.max(...lengths),
    medianHistory: whole[Math.floor(whole.length / 2)] ?? lengths[0] ?? 0,
    carriedBytes: { second: runs[1]?.bytes ?? 0, last: runs.at(-1)?.bytes ?? 0 },
    memory,
    eventsPerSecond: round3(events / seconds),
    cpuPerEvent: round3((user + system) / 1000 / events),
  };
}

/** The runs of a workflow from first to last, with the length of their history and the bytes that they were started with. */
async function runsOf(host: Host, workflowId: string): Promise<{ length: number; bytes: number }[]> {
  const runs: { length: number; bytes: number; at: number }[] = [];
  const query = `WorkflowId = '${workflowId}'`;
  for await (const { runId, startTime } of host.client.workflow.list({ query })) {
    const history = await host.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const all = history.events ?? [];
    const [payload] = all[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    runs.push({ length: all.length, bytes: payload?.data?.length ?? 0, at: startTime.getTime() });
  }
  return runs.toSorted((a, b) => a.at - b.at);
}
