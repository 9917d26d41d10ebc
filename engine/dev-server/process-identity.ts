import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Names a running process by its number and its start time, because the system uses numbers again. Answers undefined
 * when there is no such process, or when it is a zombie, which holds nothing any more.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      // The command's name, in parentheses, may itself contain blanks and parentheses.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : `${pid} started at tick ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [state = '', ...started] = stdout.trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : `${pid} started at ${started.join(' ')}`;
  } catch {
    return undefined;
  }
}

/** Ends a process if it still has this identity, and kills it after `graceMs`; resolves once it is gone. */
export async function endProcess(pid: number, identity: string, graceMs = 5000): Promise<void> {
  const isThere = async (): Promise<boolean> => (await processIdentity(pid)) === identity;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await isThere())) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (const end = Date.now() + graceMs; Date.now() < end;) {
      if (!(await isThere())) return;
      await sleep(20);
    }
  }
}
