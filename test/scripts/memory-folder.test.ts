import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where a run of the tests has its temporary files. */

const PLACE = '/dev/shm';

/** What the script answers in a process of its own, in the words of JSON. */
function made(options: object, after = 'made', before = ''): unknown {
  const code = `import { memoryFolder } from './scripts/lib/memory-folder.mjs';
    import { existsSync, mkdirSync, statSync } from 'node:fs';
    ${before}
    const made = memoryFolder(${JSON.stringify(options)});
    console.log(JSON.stringify(${after} ?? null));
    made?.close();`;
  const { TMPDIR: _, ...env } = process.env;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: path.resolve(__dirname, '../..'),
    env,
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

const LARGE = { memory: 2 ** 40 };
const isThere = made(LARGE) !== null;
const describeInMemory = isThere ? describe : describe.skip;

test('it is the usual one where memory is short, no memory is mounted, or the environment names one', () => {
  expect(made({ memory: 2 ** 30 })).toBeNull();
  expect(made({ ...LARGE, place: '/' })).toBeNull();
  expect(made({ ...LARGE, chosen: '/tmp' })).toBeNull();
});

describeInMemory(`where memory is mounted and large${isThere ? '' : ' (here it is not)'}`, () => {
  test('it is in memory, open to all users, and goes with the run', () => {
    const answer = '{ folder: made.folder, mode: statSync(made.folder).mode & 0o7777 }';
    const { folder, mode } = made(LARGE, answer) as { folder: string; mode: number };
    expect(folder).toMatch(/^\/dev\/shm\/steadyhand-\d+$/);
    expect(mode).toBe(0o1777);
    expect(existsSync(folder)).toBe(false);
  });

  test('what a killed run of the same number left is no hindrance', () => {
    const before = `mkdirSync('${PLACE}/steadyhand-' + process.pid + '/left', { recursive: true });`;
    expect(made(LARGE, "existsSync(made.folder + '/left')", before)).toBe(false);
  });

  test('it takes away what a killed run left, and nothing of a run that lives', async () => {
    const ended = await endedPid();
    const left = path.join(PLACE, `steadyhand-${ended}`);
    const kept = path.join(PLACE, `steadyhand-${process.pid}`);
    const wasThere = existsSync(kept);
    for (const folder of [left, kept]) mkdirSync(folder, { recursive: true });
    try {
      made(LARGE);
      expect(existsSync(left)).toBe(false);
      expect(statSync(kept).isDirectory()).toBe(true);
    } finally {
      if (!wasThere) rmSync(kept, { recursive: true });
    }
  });
});

/** The number of a process that has ended. */
async function endedPid(): Promise<number> {
  const child: ChildProcess = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}
