import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ActionOutcome, ToolDefinition } from '@steadyhand/contracts';
import { newestInstance } from '../../sandbox/instance-lock.ts';
import { layoutOf } from '../../sandbox/layout.ts';
import { seeded } from '../../test/support/seeded.ts';
import { spread, writeResult } from '../lib/figures.ts';
import { openSandboxes } from '../lib/sandboxes.ts';
import { ClickCounter } from './target.ts';

/**
 * SIGKILLs of a real sandbox's daemon at random moments around its actions. Afterwards the world is counted: the lines that
 * bash has appended, the lines that the editor has inserted, the clicks that a window has got.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    isolation: { type: 'string', default: 'auto' },
  },
});
const BASH: ToolDefinition = { type: 'bash_20250124', name: 'bash' };
const EDITOR: ToolDefinition = { type: 'text_editor_20250124', name: 'str_replace_editor' };
const COMPUTER: ToolDefinition = {
  type: 'computer_20250124',
  name: 'computer',
  display_width_px: 800,
  display_height_px: 600,
};
const UNDOS = 5;
/** Nobody needs longer for one answer; a sandbox that does is broken. */
const PATIENCE_MS = 60_000;

type Kind = 'bash' | 'editor' | 'click';
interface Run {
  readonly key: string;
  readonly kind: Kind;
  readonly point: readonly [number, number];
  readonly outcome: ActionOutcome;
  /** From the kill to the answer. */
  readonly recoveryMs: number;
  /** The answer came before the kill. */
  readonly answeredFirst: boolean;
  /** Of a click: the pointer stands where it was to be. */
  readonly movedThere: boolean;
}

const random = seeded(Number(values.seed));
const { folder: dir, sandboxes, close } = openSandboxes(values.isolation, { quiet: true });
try {
  const { id } = await sandboxes.create({ display: { width: 800, height: 600 } });
  const folder = join(dir, id);
  const home = layoutOf(folder).workspace;
  const counter = new ClickCounter(folder);
  const perform = async (key: string, tool: ToolDefinition, input: unknown): Promise<ActionOutcome> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await sandboxes.perform(id, { key, tool, input });
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await pause(20);
      }
    }
  };
  const kill = (): void => {
    const pid = newestInstance(folder)?.process.pid;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  };
  const inside = values.isolation === 'none' ? home : '/home/agent';
  await perform('prepare', BASH, { command: 'touch appended; printf "end\\n" > inserted' });

  const runs: Run[] = [];
  for (let n = 0; n < Number(values.kills); n += 1) {
    const key = `key-${n}`;
    const kind = (['bash', 'editor', 'click'] as const)[n % 3] ?? 'bash';
    const point = [10 + (n % 78) * 10, 10 + Math.floor(n / 78) * 10] as const;
    await perform(`awake-${n}`, BASH, { command: 'true' });
    if (kind === 'click') await counter.open();
    const action = {
      bash: [BASH, { command: `echo ${key} >> appended` }],
      editor: [EDITOR, { command: 'insert', path: `${inside}/inserted`, insert_line: 0, new_str: key }],
      click: [COMPUTER, { action: 'left_click', coordinate: point }],
    } as const;
    const [tool, input] = action[kind];
    let answered = false;
    const outcome = perform(key, tool, input).finally(() => (answered = true));
    await pause(random() ** 2 * (kind === 'click' ? 250 : 40));
    const answeredFirst = answered;
    const killedAt = performance.now();
    kill();
    const given = await outcome;
    const recoveryMs = performance.now() - killedAt;
    // One that had not begun was done on the next computer, which the counting window died before: the pointer tells.
    const there = kind === 'click' && (await perform(`where-${n}`, COMPUTER, { action: 'cursor_position' }));
    const movedThere = there !== false && JSON.stringify(there).includes(`X=${point[0]},Y=${point[1]}`);
    // Asked again under its key, it says the same.
    const again = await perform(key, tool, input);
    if (answeredFirst && JSON.stringify(again) !== JSON.stringify(given))
      throw new Error(`${key} was taken back`);
    counter.close();
    runs.push({ key, kind, point, outcome: given, recoveryMs, answeredFirst, movedThere });
    if (n % 20 === 19) console.log(`${n + 1} kills`);
  }
  await perform('awake', BASH, { command: 'true' });
  const linesOf = (name: string): string[] => readFileSync(join(home, name), 'utf8').split('\n');
  const [appended, inserted] = [linesOf('appended'), linesOf('inserted')];
  const countOf = ({ key, kind, point, outcome, answeredFirst, movedThere }: Run): number => {
    const onNext = outcome.status === 'done' && !answeredFirst && movedThere ? 1 : 0;
    if (kind === 'click') return Math.max(counter.count(point), onNext);
    return (kind === 'bash' ? appended : inserted).filter((line) => line === key).length;
  };

  // Each undo is another daemon's than the edit was.
  const edits = runs
    .filter(({ kind, outcome }) => kind === 'editor' && outcome.status === 'done')
    .slice(-UNDOS);
  let undone = 0;
  for (const { key } of edits.toReversed()) {
    kill();
    await perform(`undo-${key}`, EDITOR, { command: 'undo_edit', path: `${inside}/inserted` });
    if (!linesOf('inserted').includes(key)) undone += 1;
  }

  const recoveries = runs.filter(({ answeredFirst }) => !answeredFirst).map(({ recoveryMs }) => recoveryMs);
  const unknown = runs.filter(({ outcome }) => outcome.status === 'unknown');
  const summary = {
    kills: runs.length,
    answered_before_the_kill: runs.filter(({ answeredFirst }) => answeredFirst).length,
    done_twice: runs.filter((run) => countOf(run) > 1).length,
    lost: runs.filter((run) => run.outcome.status === 'done' && countOf(run) === 0).length,
    unknown: unknown.length,
    unknown_and_done: unknown.filter((run) => countOf(run) === 1).length,
    undone_by_another_daemon: `${undone} of ${edits.length}`,
    recovery_ms: spread(recoveries),
    by_kind: Object.fromEntries(
      (['bash', 'editor', 'click'] as const).map((kind) => {
        const of = runs.filter((run) => run.kind === kind);
        return [
          kind,
          { n: of.length, unknown: of.filter(({ outcome }) => outcome.status === 'unknown').length },
        ];
      }),
    ),
    seed: Number(values.seed),
  };
  for (const run of runs)
    if (run.outcome.status === 'done' && countOf(run) === 0)
      console.log(`lost: ${JSON.stringify(run).slice(0, 600)}`);
  await sandboxes.delete(id);
  writeResult('sandbox-kills', summary);
  console.log(JSON.stringify(summary, null, 2));
  process.exitCode = summary.done_twice + summary.lost === 0 && undone === edits.length ? 0 : 1;
} finally {
  close();
}
