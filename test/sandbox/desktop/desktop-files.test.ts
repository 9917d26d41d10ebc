import type { ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { desktopEnvironment, desktopFiles } from '../../../sandbox/desktop/desktop-files.ts';
import { openDisplay } from '../../../sandbox/display/display.ts';
import { BUTTON } from '../../../sandbox/display/mouse.ts';
import { localGuest } from '../display/local-guest.ts';
import { end, startProgram, startXvfb, until } from '../display/xvfb.ts';

const size = { width: 800, height: 600 };

test('the menu offers what is installed, each by the first of its programs', () => {
  const menu = (...installed: string[]): string[] =>
    Array.from(
      (
        desktopFiles((program) => installed.includes(program), '/desktop')['xdg/openbox/menu.xml']?.text ?? ''
      ).matchAll(/label="([^"]*)"><action name="Execute"><execute>([^<]*)</g),
      ([, label, command]) => `${label}: ${command}`,
    );
  expect(menu('xterm', 'mousepad', 'pcmanfm', 'chromium', 'firefox')).toEqual([
    'Terminal: xterm',
    'Text Editor: mousepad',
    'File Manager: pcmanfm',
    'Web Browser: chromium',
  ]);
  expect(menu('firefox')).toEqual(['Web Browser: firefox']);
  expect(menu()).toEqual([]);
});

test('openbox takes the configuration: a click on the desktop opens the menu, a click on it starts the program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'desktop-'));
  // A program of the test's own in the place of the terminal.
  const started = join(folder, 'started');
  const files = {
    ...desktopFiles((program) => program === 'xterm', folder),
    'bin/xterm': { text: `#!/bin/sh\n: > ${started}\n`, executable: true },
  };
  for (const [path, { text, executable }] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    if (executable === true) await chmod(join(folder, path), 0o755);
  }
  const xvfb = await startXvfb(size);
  const display = await openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) });
  const { env, path } = desktopEnvironment(folder);
  const openbox: ChildProcess = startProgram(['openbox'], {
    ...xvfb.env,
    ...env,
    HOME: folder,
    PATH: `${path}:${process.env['PATH']}`,
  });
  try {
    const painted = async (): Promise<boolean> => {
      const { channels } = await sharp(await display.capture({ pointer: false })).stats();
      return channels.some(({ max }) => max > 0);
    };
    const guest = localGuest(xvfb.env);
    await until('the window manager', async () => {
      const { stdout } = await guest.run(['xprop', '-root', '_NET_SUPPORTING_WM_CHECK']);
      return Buffer.from(stdout).toString().includes('window id');
    });

    expect(await painted()).toBe(false);
    // The window manager may still be taking hold of the root's buttons, and a press that it hears of late closes the menu
    // that the one before has opened: what is on the screen says what the next click is for. Nothing but the menu starts it.
    await until('the program', async () => {
      if ((await guest.files.stat(started)) !== null) return true;
      const isOpen = await painted();
      // The menu's first line.
      await display.mouse.move(isOpen ? { x: 320, y: 210 } : { x: 300, y: 200 });
      await display.settle();
      await display.mouse.click(BUTTON.left);
      await display.settle();
      return false;
    });
  } finally {
    display.close();
    await end(openbox);
    await xvfb.kill();
    await rm(folder, { recursive: true });
  }
});
