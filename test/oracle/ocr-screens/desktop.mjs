import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';

const run = promisify(execFile);

/**
 * Real programs on a bare X server: an editor with a text, a terminal with a listing, a file manager with a folder. What
 * is known is what was written to them and their menus; sizes are those of the default font (Sans 10 at 96 dots an inch
 * is 13.3 px; xterm's is set).
 */
export async function shootDesktops(t) {
  const display = ':97';
  const home = mkdtempSync(join(tmpdir(), 'ocr-screens-'));
  const env = {
    ...process.env,
    DISPLAY: display,
    HOME: home,
    NO_AT_BRIDGE: '1',
    GTK_THEME: 'Adwaita',
    GSETTINGS_BACKEND: 'memory',
  };
  const children = [
    spawn('Xvfb', [display, '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], { stdio: 'ignore' }),
  ];
  const start = (program, args) => {
    children.push(spawn(program, args, { env, stdio: 'ignore' }));
    return children.at(-1);
  };
  const stop = async (child) => {
    child.kill();
    await sleep(500);
  };
  try {
    await sleep(1500);
    start('openbox', []);
    const shots = [];
    const shoot = async (name, words) => {
      await sleep(4000);
      const file = join(home, `${name}.png`);
      await run('import', ['-window', 'root', '-display', display, file], { env });
      shots.push({ name, png: file, words });
    };
    const wordsOf = (text, size) =>
      text
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => ({ text: word, size }));
    const move = (pattern, x, y, w, h) =>
      run(
        'xdotool',
        [
          'search',
          '--sync',
          '--onlyvisible',
          '--class',
          pattern,
          'windowsize',
          '%@',
          String(w),
          String(h),
          'windowmove',
          '%@',
          String(x),
          String(y),
        ],
        { env },
      );

    const note = Array.from({ length: 14 }, () => t.words(t.int(4, 7))).join('\n');
    writeFileSync(join(home, 'note.txt'), note);
    const editor = start('mousepad', [join(home, 'note.txt')]);
    await move('mousepad', 20, 30, 620, 420);
    const listing = Array.from(
      { length: 16 },
      () => `${t.date()} ${t.clock()} ${t.name()} ${t.number()}`,
    ).join('\n');
    writeFileSync(join(home, 'listing'), listing);
    const terminal = start('xterm', [
      '-fa',
      'DejaVu Sans Mono',
      '-fs',
      '10',
      '-geometry',
      '60x18+400+430',
      '-e',
      'sh',
      '-c',
      `cat ${join(home, 'listing')}; sleep 60`,
    ]);
    await shoot('desktop-editor', [
      ...wordsOf('File Edit Search View Document Help', 13),
      ...wordsOf(note, 13),
      ...wordsOf(listing, 13),
    ]);
    await stop(editor);
    await stop(terminal);

    const names = new Set();
    while (names.size < 20) names.add(t.pick([t.name, t.word, t.word])());
    mkdirSync(join(home, 'files'));
    for (const name of names) {
      if (name.includes('.')) writeFileSync(join(home, 'files', name), 'x');
      else mkdirSync(join(home, 'files', name));
    }
    start('pcmanfm', ['--no-desktop', join(home, 'files')]);
    await move('pcmanfm', 10, 30, 700, 520);
    const dark = Array.from({ length: 12 }, () => `${t.path()} ${t.words(3)}`).join('\n');
    writeFileSync(join(home, 'dark'), dark);
    start('xterm', [
      '-fa',
      'DejaVu Sans Mono',
      '-fs',
      '12',
      '-bg',
      'black',
      '-fg',
      'green',
      '-geometry',
      '70x13+250+500',
      '-e',
      'sh',
      '-c',
      `cat ${join(home, 'dark')}; sleep 60`,
    ]);
    await shoot('desktop-files', [
      ...wordsOf('File Edit View Bookmarks Go Tools Help Places Home Folder', 13),
      // Longer names are broken in two.
      ...wordsOf([...names].filter((name) => name.length <= 11).join(' '), 13),
      ...wordsOf(dark, 16),
    ]);
    return shots;
  } finally {
    for (const child of children.reverse()) child.kill();
    await sleep(500);
    process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  }
}
