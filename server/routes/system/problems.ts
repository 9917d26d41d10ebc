import type { System, SystemProblem } from './shapes.ts';

/** With less room than this a disk is soon full: pictures of a day's work take about as much. */
const LITTLE_ROOM_BYTES = 2 * 1024 ** 3;
/** The share of the machine's memory that should be left. */
const LITTLE_MEMORY = 0.05;
/** A task that waits this long has no worker that has time for it. */
const LONG_WAIT_MS = 60_000;

type Parts = Omit<System, 'type' | 'status' | 'problems'>;

/** What is wrong with any part, and what to do about it; errors first. */
export function problemsOf(parts: Parts): readonly SystemProblem[] {
  const found = [
    ...engineProblems(parts.engine),
    ...storeProblems(parts.store),
    ...diskProblems(parts.disks),
    ...sandboxProblems(parts.sandboxes),
    ...modelProblems(parts),
    ...memoryProblems(parts.process),
  ];
  return [
    ...found.filter(({ level }) => level === 'error'),
    ...found.filter(({ level }) => level !== 'error'),
  ];
}

export function statusOf(problems: readonly SystemProblem[]): System['status'] {
  return problems[0]?.level ?? 'ok';
}

function engineProblems({ reachable, reason, address, queues, kind }: Parts['engine']): SystemProblem[] {
  const part = 'engine';
  if (!reachable) {
    const advice =
      kind === 'cluster'
        ? 'See whether the Temporal service runs, and whether TEMPORAL_ADDRESS leads to it. Sessions go on by themselves once it is back.'
        : 'Start this server again: the engine belongs to it. No session is lost by that.';
    const text = `The engine at ${address} does not answer${reason === null ? '' : `: ${reason}`}`;
    return [{ part, level: 'error', text, advice }];
  }
  return queues.flatMap((queue): SystemProblem[] => {
    if (queue.activity_pollers === 0) {
      return [
        {
          part,
          level: 'error',
          text: `No worker polls the task queue ${queue.name}`,
          advice: 'Start a worker: this server without --role=server, or another process with --role=worker.',
        },
      ];
    }
    if ((queue.oldest_ms ?? 0) < LONG_WAIT_MS) return [];
    const seconds = Math.round((queue.oldest_ms ?? 0) / 1000);
    return [
      {
        part,
        level: 'warning',
        text: `A task has waited in the queue ${queue.name} for ${seconds} seconds`,
        advice: 'The workers are busy or stuck: start another one, or look at what runs under Workflows.',
      },
    ];
  });
}

function storeProblems({ status, reason, broken_sessions: broken, sweep }: Parts['store']): SystemProblem[] {
  const part = 'store';
  const found: SystemProblem[] = [];
  if (status !== 'ok') {
    found.push({
      part,
      level: 'error',
      text: `The store takes nothing new: ${reason ?? status}`,
      advice:
        status === 'full'
          ? 'Make room on the disk of DATA_DIR. The server notices that by itself within seconds.'
          : 'See to the rights and the disk of DATA_DIR. The server tries again with every write.',
    });
  }
  if (broken > 0) {
    found.push({
      part,
      level: 'warning',
      text: `${broken === 1 ? 'The record or log of one session is' : `The records or logs of ${broken} sessions are`} damaged`,
      advice:
        'They do not go on. Look at the server’s log for their ids; restore them from a backup, or delete them.',
    });
  }
  if (sweep?.failure != null) {
    found.push({
      part,
      level: 'warning',
      text: `What nobody needs any more could not be cleared away: ${sweep.failure}`,
      advice: 'It is tried again within the hour. The store grows until then.',
    });
  }
  return found;
}

function diskProblems(disks: Parts['disks']): SystemProblem[] {
  return disks
    .filter(({ free_bytes }) => free_bytes < LITTLE_ROOM_BYTES)
    .map(({ folder, free_bytes }) => ({
      part: 'disk',
      level: 'warning',
      text: `The disk of ${folder} has only ${Math.round(free_bytes / 1024 ** 2)} MiB left`,
      advice: 'Make room, or delete sessions and sandboxes that nobody needs.',
    }));
}

function sandboxProblems({
  available,
  reason,
  counts,
  pool,
  isolation,
}: Parts['sandboxes']): SystemProblem[] {
  const part = 'sandboxes';
  const found: SystemProblem[] = [];
  if (!available) {
    found.push({
      part,
      level: 'warning',
      text: `This machine has no desktop for agents${reason === null ? '' : ` (${reason})`}`,
      advice: 'Sessions run, but their tools will fail. Install what is missing and start the server again.',
    });
  }
  if ((counts?.failed ?? 0) > 0) {
    found.push({
      part,
      level: 'warning',
      text: `${counts?.failed === 1 ? 'One sandbox does' : `${counts?.failed} sandboxes do`} not start, because a file of it is damaged`,
      advice: 'Delete it: its session gets another one and is told so.',
    });
  }
  if ((counts?.lost ?? 0) > 0) {
    found.push({
      part,
      level: 'warning',
      text: `${counts?.lost === 1 ? 'One computer was' : `${counts?.lost} computers were`} lost with the machine that had it`,
      advice: 'Its session goes on at a new one and is told so; what is no session’s can only be deleted.',
    });
  }
  if (pool === null) return found;
  if (pool.waiting > 0 && pool.free === 0) {
    found.push({
      part,
      level: 'warning',
      text: `${pool.waiting === 1 ? 'A sandbox waits' : `${pool.waiting} sandboxes wait`} for a place on a machine of the pool`,
      advice: 'Start more machines, or delete sandboxes that nobody needs.',
    });
  } else if (pool.members === 0 && isolation === 'remote') {
    found.push({
      part,
      level: 'error',
      text: 'No machine of the sandbox pool is there',
      advice: 'Start machines with the token of SANDBOX_POOL_TOKEN; they register by themselves.',
    });
  }
  return found;
}

function modelProblems({ inference, providers }: Parts): SystemProblem[] {
  const refused = inference.models
    .filter(({ state }) => state === 'refused')
    .map(({ name, reason }): SystemProblem => ({
      part: 'inference',
      level: 'warning',
      text: `The image model ${name} was refused${reason === null ? '' : `: ${reason}`}`,
      advice: 'Replace its file or its sidecar in MODELS_DIR; it is read again by itself.',
    }));
  const failing = providers
    .filter(({ state }) => state === 'failing' || state === 'limited')
    .map(({ name, state, reason }): SystemProblem => ({
      part: 'providers',
      level: 'warning',
      text: `The provider ${name} ${state === 'failing' ? 'fails' : 'asks for less'}${reason === null ? '' : `: ${reason}`}`,
      advice:
        state === 'failing'
          ? 'See whether it runs, and whether its address and key are right. Sessions ask it again by themselves.'
          : 'Sessions wait by themselves as long as it asks them to.',
    }));
  return [...refused, ...failing];
}

function memoryProblems({ memory }: Parts['process']): SystemProblem[] {
  if (memory.free_bytes >= memory.total_bytes * LITTLE_MEMORY) return [];
  return [
    {
      part: 'memory',
      level: 'warning',
      text: `The machine has only ${Math.round(memory.free_bytes / 1024 ** 2)} MiB of memory left`,
      advice: 'End sandboxes that nobody needs, or give them smaller limits (SANDBOX_MEMORY_MIB).',
    },
  ];
}
