import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDisplay, type Display } from '../../../sandbox/display/display.ts';
import { openClickTarget } from './click-target.ts';
import { localGuest } from './local-guest.ts';
import { end, startProgram, startXvfb, until, type Xvfb } from './xvfb.ts';
import { openedForAll } from '../../support/opened.ts';

const size = { width: 800, height: 600 };
const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 0x20 + index));
const MANY = String.fromCharCode(...Array.from({ length: 90 }, (_, index) => 0x4e00 + index * 3));

describe('typing into a terminal', () => {
  let xvfb: Xvfb;
  let display: Display;
  let terminal: ChildProcess;
  let folder: string;
  let received: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyboard-'));
    received = join(folder, 'received');
    xvfb = await startXvfb(size);
    display = await openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) });
    // Not a line at a time, and nothing eaten or echoed: what is received is what was typed.
    terminal = startProgram(
      ['xterm', '-u8', '-e', 'sh', '-c', `stty raw -echo && touch ${received} && exec cat >> ${received}`],
      { ...xvfb.env, LC_ALL: 'C.UTF-8' },
    );
    await until('the terminal', () =>
      readFile(received, 'utf8').then(
        () => true,
        () => false,
      ),
    );
    // What is typed goes to the window below the pointer, which its shell may be quicker than.
    const guest = localGuest(xvfb.env);
    await until('its window', async () => {
      const { code } = await guest.run(['xdotool', 'search', '--onlyvisible', '--class', 'XTerm']);
      return code === 0;
    });
    await display.mouse.move({ x: 100, y: 100 });
    await display.settle();
  });
  afterAll(async () => {
    display.close();
    await end(terminal);
    await xvfb.kill();
    await rm(folder, { recursive: true });
  });

  // Return is CR for a terminal in raw mode.
  test.each<[what: string, text: string]>([
    ['all of ASCII', ASCII],
    ['lines and tabs', 'a\n\tb\r\n\n c\r'],
    ['leading dashes', '--delay 5 -- -x'],
    ['what a shell would expand', '$(id) `id` "$HOME" \'q\' \\n !! * ; rm'],
    ['accents', 'éüßñøÅ¿½'],
    ['other scripts, signs and emoji', '€漢字кирилица Ω→≤“”…—😀🎉'],
    ['more characters than there are free keys', MANY],
    ['the same again, mixed', `${MANY.slice(0, 40)}abc${MANY.slice(20, 60)}é`],
    ['a thousand characters', ASCII.repeat(11).slice(0, 1000)],
  ])('%s', async (_what, text) => {
    const before = (await readFile(received)).length;
    expect(await display.keyboard.type(text)).toBe('');
    const expected = text.replaceAll(/\r?\n/g, '\r');
    // By bytes: a character may arrive in halves.
    const got = await until('the text', async () => {
      const now = (await readFile(received)).subarray(before);
      return now.length >= Buffer.byteLength(expected) ? now : null;
    }).catch(() => readFile(received).then((now) => now.subarray(before)));
    expect(got.toString()).toBe(expected);
  });

  test('a lone surrogate and a NUL do no harm', async () => {
    const before = (await readFile(received)).length;
    expect(await display.keyboard.type('a\0b\ud800c')).toBe('');
    await until(
      'the text',
      async () => (await readFile(received)).subarray(before).toString() === 'ab\ufffdc',
    );
  });
});

describe('keys', () => {
  const xvfb = openedForAll(
    () => startXvfb(size),
    (it) => it.kill(),
  );
  const display = openedForAll(() =>
    openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) }),
  );

  test('several in one call, combinations, and everything is let go again', async () => {
    const target = await openClickTarget(xvfb.socketPath);
    expect(await display.keyboard.press(['Down', 'Down', 'ctrl+shift+t', 'U20AC', 'eacute'])).toBe('');
    await target.sync();
    const count = (name: string): number => target.events.filter((event) => event.name === name).length;
    expect(count('KeyPress')).toBe(2 + 3 + 2);
    expect(count('KeyRelease')).toBe(count('KeyPress'));
    const [first, second] = target.events.filter((event) => event.name === 'KeyPress');
    expect(first?.keycode).toBe(second?.keycode);
    target.close();
  });

  test('a program hears of a key that changed its meaning before the key comes', async () => {
    const target = await openClickTarget(xvfb.socketPath);
    /** How many keys had come when it was asked whether it has dealt with its input. */
    const asked: number[] = [];
    const stopAnswering = await target.answerPings(async () => {
      asked.push(target.events.filter(({ name }) => name === 'KeyPress').length);
      await Promise.resolve();
    });
    const first = String.fromCharCode(...Array.from({ length: 150 }, (_, index) => 0x6000 + index * 3));
    const second = String.fromCharCode(...Array.from({ length: 150 }, (_, index) => 0x7000 + index * 3));
    expect(await display.keyboard.type(first)).toBe('');
    await target.sync();
    const typed = target.events.filter(({ name }) => name === 'KeyPress').length;
    expect(await display.keyboard.type(second)).toBe('');
    // Once for what was typed with the keys before, and once for what they mean from then on.
    expect(asked).toEqual([typed, typed]);
    await stopAnswering();
    target.close();
  });

  test('a name that is no key is complained about', async () => {
    expect(await display.keyboard.press(['NoSuchKey'])).toContain(
      "No such key name 'NoSuchKey'. Ignoring it.",
    );
  });

  test('an interrupt stops the typing at once and leaves no key down', async () => {
    const target = await openClickTarget(xvfb.socketPath);
    const controller = new AbortController();
    const typing = display.keyboard.type('A'.repeat(100_000), controller.signal);
    await until('some keys', async () => {
      await target.sync();
      return target.events.length > 20;
    });
    controller.abort();
    await typing;
    await target.sync();
    const typed = target.events.length;
    expect(typed).toBeLessThan(100_000);
    const down = new Set<number>();
    for (const { name, keycode = 0 } of target.events) {
      if (name === 'KeyPress') down.add(keycode);
      else if (name === 'KeyRelease') down.delete(keycode);
    }
    expect([...down]).toEqual([]);
    await display.settle({ firstMs: 100 });
    await target.sync();
    expect(target.events.length).toBe(typed);
    target.close();
  });
});
