import { openDisplay } from '../../../sandbox/display/display.ts';
import { localGuest } from './local-guest.ts';
import { end, startProgram, startXvfb, until } from './xvfb.ts';

const size = { width: 640, height: 480 };

test('tells title and class of the window in front, none where there is none', async () => {
  const xvfb = await startXvfb(size);
  const display = await openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) });
  const programs = [startProgram(['openbox'], xvfb.env)];
  try {
    expect(await display.activeWindow()).toBeNull();
    const title = 'Größe: naïve';
    programs.push(
      startProgram(['xterm', '-geometry', '80x24+0+0', '-T', title], { ...xvfb.env, LC_ALL: 'C.UTF-8' }),
    );
    const seen = await until('the terminal', async () => {
      // A window that was there before its manager is not given the keyboard by itself.
      await display.mouse.move({ x: 100, y: 100 });
      await display.mouse.click(1);
      const front = await display.activeWindow();
      // Its title may come a moment after the window itself.
      return front?.title === '' ? null : front;
    });
    expect(seen).toEqual({ title, class: 'XTerm' });
  } finally {
    display.close();
    for (const program of programs) await end(program);
    await xvfb.kill();
  }
});
