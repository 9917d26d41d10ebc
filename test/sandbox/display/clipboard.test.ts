import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { openDisplay } from '../../../sandbox/display/display.ts';
import { localGuest } from './local-guest.ts';
import { startXvfb, until } from './xvfb.ts';
import { openedForAll } from '../../support/opened.ts';

const size = { width: 640, height: 480 };
const run = promisify(execFile);
const describeWithXclip = existsSync('/usr/bin/xclip') ? describe : describe.skip;

describeWithXclip('the clipboard, with a program of another maker (needs xclip)', () => {
  const xvfb = openedForAll(
    () => startXvfb(size),
    (it) => it.kill(),
  );
  const display = openedForAll(() =>
    openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) }),
  );
  const env = (): NodeJS.ProcessEnv => ({ ...process.env, ...xvfb.env });

  async function pasted(selection: string, target: string): Promise<string> {
    const { stdout } = await run('xclip', ['-o', '-selection', selection, '-t', target], {
      env: env(),
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  async function copy(text: string, selection: string): Promise<void> {
    const program = spawn('xclip', ['-selection', selection], {
      env: env(),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    program.stdin.end(text);
    // It goes on in the background, as long as it owns the selection.
    await once(program, 'exit');
  }

  // The larger ones go in parts.
  const texts = ['', 'short', 'ä 漢字 👩‍💻\n\t', 'x'.repeat(128 * 1024), '漢字\n'.repeat(200_000)];

  test.each(texts.map((text) => [text.length, text] as const))(
    '%i characters, both ways',
    async (_, text) => {
      await display.clipboard.write(text);
      expect((await pasted('clipboard', 'UTF8_STRING')) === text).toBe(true);
      expect((await pasted('primary', 'UTF8_STRING')) === text).toBe(true);
      expect(await display.clipboard.read()).toBe(text);
      await copy(`${text}!`, 'clipboard');
      await until('the copy', async () => (await display.clipboard.read()) === `${text}!`);
      expect((await display.clipboard.read('primary')) === text).toBe(true);
    },
  );

  test('what is too much is not taken over', async () => {
    await copy('x'.repeat(9 * 1024 * 1024), 'clipboard');
    const read = (): Promise<string> => display.clipboard.read().catch((error: Error) => error.message);
    await until('the refusal', async () => (await read()).includes('more than 8388608 bytes'));
    await copy('small', 'clipboard');
    await until('the copy', async () => (await read()) === 'small');
    expect(await display.clipboard.read()).toBe('small');
  });

  test('forms are told, and what is none is refused', async () => {
    await display.clipboard.write('é');
    expect((await pasted('clipboard', 'TARGETS')).split('\n')).toEqual(
      expect.arrayContaining(['TARGETS', 'UTF8_STRING', 'STRING', 'text/plain;charset=utf-8']),
    );
    await expect(pasted('clipboard', 'image/png')).rejects.toThrow('image/png');
  });
});
