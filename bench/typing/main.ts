import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { ToolDefinition } from '@steadyhand/contracts';
import { activeWindow } from '../../sandbox/client/actions.ts';
import { writeResult } from '../lib/figures.ts';
import { openSandboxes } from '../lib/sandboxes.ts';
import { PROGRAMS, type Program } from './programs.ts';
import { TEXTS } from './texts.ts';

/** Types 1,000 characters into real programs, under several layouts, and compares what has arrived to the character. */
const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: PROGRAMS.map(({ name }) => name).join(',') },
    layouts: { type: 'string', default: 'us,de,fr,us-intl' },
    keep: { type: 'string' },
  },
});

interface Row {
  readonly program: string;
  readonly layout: string;
  readonly text: string;
  readonly ms: number;
  /** Characters that are not where they should be. */
  readonly wrong: number;
}

const COMPUTER: ToolDefinition = { type: 'computer_20250124', name: 'computer' };
const BASH: ToolDefinition = { type: 'bash_20250124', name: 'bash' };
const { sandboxes, close } = openSandboxes();
const rows: Row[] = [];
let keys = 0;
try {
  const { id } = await sandboxes.create({ display: { width: 1024, height: 768 } });
  const act = async (tool: ToolDefinition, input: object): Promise<string> => {
    const outcome = await sandboxes.perform(id, { key: `typing-${keys++}`, tool, input });
    if (outcome.status !== 'done' || outcome.is_error || typeof outcome.content === 'string')
      throw new Error(`${JSON.stringify(input).slice(0, 200)}: ${JSON.stringify(outcome).slice(0, 500)}`);
    return outcome.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  };
  for (const program of PROGRAMS.filter(({ name }) => values.programs.split(',').includes(name))) {
    await act(BASH, { command: program.start });
    await inFront(id, program);
    await act(COMPUTER, { action: 'wait', duration: 1 });
    for (const layout of values.layouts.split(',')) {
      await act(BASH, { command: `setxkbmap ${layout.replace('-', ' -variant ')}` });
      for (const [text, typed] of Object.entries(TEXTS)) {
        if (program.read === 'clipboard') {
          await act(COMPUTER, { action: 'key', text: 'ctrl+a' });
          await act(COMPUTER, { action: 'key', text: 'Delete' });
        } else await act(BASH, { command: `: > ${program.read.file}` });
        const started = performance.now();
        await act(COMPUTER, { action: 'type', text: typed });
        const ms = Math.round(performance.now() - started);
        if (values.keep !== undefined)
          writeFileSync(`${values.keep}-${program.name}.png`, await sandboxes.screenshot(id));
        let got: string;
        if (program.read === 'clipboard') {
          got = await copied(act);
        } else got = (await act(BASH, { command: `cat ${program.read.file}; echo .` })).slice(0, -1);
        const row = { program: program.name, layout, text, ms, wrong: wrong(typed, got) };
        console.log(JSON.stringify(row));
        rows.push(row);
      }
    }
    await act(BASH, { command: 'setxkbmap us' });
  }
  await sandboxes.delete(id);
} finally {
  close();
}
console.table(rows);
const result = { unit: 'ms', cpus: cpus().length, node: process.version, rows };
writeResult('typing', result);
const missed = rows.filter(({ ms, wrong: bad }) => ms > 1500 || bad > 0);
console.log(`${rows.length - missed.length} of ${rows.length} right and in at most 1.5 s`);
process.exit(missed.length === 0 ? 0 : 1);

async function inFront(id: string, { name, title }: Program): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const window = await activeWindow(sandboxes, id);
    if (window?.title.includes(title) === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} has not come to the front`);
}

/** What is in front, by way of the clipboard; a browser may need a while to come to the Ctrl+C. */
async function copied(act: (tool: ToolDefinition, input: object) => Promise<string>): Promise<string> {
  const before = 'nothing was copied';
  await act(COMPUTER, { action: 'clipboard_write', text: before });
  await act(COMPUTER, { action: 'key', text: 'ctrl+a' });
  await act(COMPUTER, { action: 'key', text: 'ctrl+c' });
  for (const deadline = Date.now() + 20_000; ;) {
    const text = await act(COMPUTER, { action: 'clipboard_read' });
    if (text !== before || Date.now() > deadline) return text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Return arrives in a terminal as CR. */
function wrong(typed: string, got: string): number {
  const expected = Array.from(typed);
  const arrived = Array.from(got.replaceAll('\r', '\n'));
  let bad = Math.abs(expected.length - arrived.length);
  for (let i = 0; i < Math.min(expected.length, arrived.length); i++)
    if (expected[i] !== arrived[i]) bad += 1;
  return bad;
}
