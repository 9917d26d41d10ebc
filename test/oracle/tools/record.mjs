/**
 * `node test/oracle/tools/record.mjs <folder of the reference's tools, release of October 2024> [python]`: runs the cases of
 * this folder through the reference and writes golden-editor.json and golden-bash.json, which test/sandbox/oracle replays. The
 * reference runs as the user `nobody` where this runs as root, so that rights mean something.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** What is long is kept as a checksum. */
function shortened(answer) {
  return 'content' in answer ? { ...answer, content: short(answer.content) } : answer;
}

function shortFiles(files) {
  return Object.fromEntries(
    Object.entries(files).map(([name, hex]) => [name, hex === null ? null : short(hex)]),
  );
}

function short(text) {
  return Array.from(text).length <= 1500 ? text : `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}

const here = dirname(fileURLToPath(import.meta.url));
const [reference, python = 'python3'] = process.argv.slice(2);
if (reference === undefined) {
  console.error('usage: node test/oracle/tools/record.mjs <tools folder> [python]');
  process.exit(2);
}
const base = mkdtempSync(join(tmpdir(), 'tool-cases-'));
chmodSync(base, 0o777);
try {
  for (const kind of ['editor', 'bash']) {
    const outfile = join(base, `${kind}-cases.mjs`);
    await build({
      entryPoints: [join(here, `${kind}-cases.ts`)],
      bundle: true,
      conditions: ['@steadyhand/source'],
      format: 'esm',
      outfile,
    });
    const module = await import(pathToFileURL(outfile).href);
    const cases = module[kind === 'editor' ? 'EDITOR_CASES' : 'BASH_CASES'];
    const command = [python, join(here, 'reference.py'), reference, base];
    const asNobody =
      process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    const [program, ...args] = [...asNobody, ...command];
    const result = spawnSync(program, args, {
      input: JSON.stringify(cases.map((item) => ({ kind, case: item }))),
      maxBuffer: 1 << 30,
      encoding: 'utf8',
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: base,
        LANG: 'C.UTF-8',
        PYTHONDONTWRITEBYTECODE: '1',
      },
    });
    if (result.status !== 0) throw new Error(`the reference failed: ${result.stderr}`);
    const golden = JSON.parse(result.stdout).map((found, index) => ({ name: cases[index].name, ...found }));
    const lines = golden.map(({ name, answers, files }) =>
      JSON.stringify({ name, answers: answers.map(shortened), files: shortFiles(files) }),
    );
    writeFileSync(join(here, `golden-${kind}.json`), `[\n${lines.join(',\n')}\n]\n`);
    const answers = golden.flatMap((entry) => entry.answers);
    console.log(`${kind}: ${golden.length} cases, ${answers.length} answers`);
  }
} finally {
  execFileSync('chmod', ['-R', 'u+rwx', base]);
  rmSync(base, { recursive: true, force: true });
}
