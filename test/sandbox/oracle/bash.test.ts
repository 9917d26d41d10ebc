import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShellService } from '../../../sandbox/guest/shell/shell-service.ts';
import { createBashTool } from '../../../sandbox/tools/bash-tool.ts';
import { BASH_CASES } from '../../oracle/tools/bash-cases.ts';
import type { Answer, ToolCase } from '../../oracle/tools/tool-case.ts';
import { sampled } from '../../support/sampled.ts';
import { goldenCases, replay } from './replay.ts';

const DEFINITION = { type: 'bash_20241022', name: 'bash' } as const;
const golden = goldenCases('bash');

/** Every answer and every byte left on the disk as the reference's were when they were recorded. */
describe('compat reference, bash', () => {
  test.each(
    sampled(
      BASH_CASES.filter(({ ends }) => ends !== true),
      4,
    ),
  )('$name', async (testCase) => {
    const { answers, files } = golden.get(testCase.name)!;
    const ours = await replayed(testCase);
    expect({ ...ours, answers: withoutPids(ours.answers) }).toEqual({ answers: withoutPids(answers), files });
  });

  // An exit is told at once instead of at the next call, with the reference's own words; the rest does not end the shell.
  test.each(BASH_CASES.filter(({ ends }) => ends === true))('$name does not hang', async (testCase) => {
    const { answers } = golden.get(testCase.name)!;
    const ours = await replayed(testCase);
    const exits = (given: Answer): boolean =>
      'content' in given && given.content.includes('bash has exited with returncode');
    const said = ours.answers.some(exits) ? answers : ours.answers;
    expect(said).toContainEqual(ours.answers[0]);
    expect(JSON.stringify(ours.answers)).not.toContain('timed out');
    // After a restart all is as it was.
    const restarted = testCase.name.startsWith('ended by') ? 2 : answers.length;
    expect(ours.answers.slice(restarted)).toEqual(answers.slice(restarted));
  });
});

/** A program's end by a signal is told with its pid. */
function withoutPids(answers: readonly Answer[]): unknown {
  return JSON.parse(JSON.stringify(answers).replaceAll(/(line \d+:) +\d+ /g, '$1 PID '));
}

function replayed(testCase: ToolCase): ReturnType<typeof replay> {
  return replay(testCase, DEFINITION, (folder) => {
    const driver = mkdtempSync(join(tmpdir(), 'tool-shell-'));
    const shell = new ShellService({ folder: join(driver, 'bash'), home: folder });
    // What is answered at once has a limit that no loaded machine reaches.
    const timeoutMs = (testCase.ends === true ? 60 : (testCase.timeout ?? 60)) * 1000;
    return {
      tool: createBashTool({ shell, compat: 'reference', timeoutMs }),
      close: async () => {
        await shell.restart();
        rmSync(driver, { recursive: true, force: true });
      },
    };
  });
}
