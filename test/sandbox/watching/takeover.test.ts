import { existsSync } from 'node:fs';
import type { ActionOutcome, TakeoverStart } from '@steadyhand/contracts';
import { handBack, readTakeover, startTakeover, watchScreen } from '../../../sandbox/client/watching.ts';
import { TestSandboxes, textOf, until } from '../helpers/sandboxes.ts';
import { Viewer } from './viewer.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const missing = ['Xvfb', 'openbox', 'xdotool', 'x11vnc'].filter((name) => !existsSync(`/usr/bin/${name}`));
const describeOnDesktop = missing.length === 0 ? describe : describe.skip;

describeOnDesktop(`a person at a sandbox’s screen (needs ${missing.join(', ') || 'nothing more'})`, () => {
  let id = '';
  const viewers: Viewer[] = [];

  const all = openedForAll(() => TestSandboxes.open());
  const sandboxes = madeForAll(() => all.client());
  beforeAll(async () => {
    ({ id } = await sandboxes.create({ display: { width: 320, height: 240 } }));
  });
  afterEach(() => viewers.splice(0).forEach((viewer) => viewer.close()));

  /** Waits for the end of a program that was told to. */
  const gone = (program: string): string => `while pgrep ${program} >/dev/null; do sleep 0.01; done`;
  const watch = async (takeover: string | null = null): Promise<Viewer> => {
    const viewer = await Viewer.open(await watchScreen(sandboxes, id, takeover));
    viewers.push(viewer);
    return viewer;
  };
  const take = (takeover: string, more: Partial<TakeoverStart> = {}): ReturnType<typeof startTakeover> =>
    startTakeover(sandboxes, id, {
      id: takeover,
      record: 'full',
      disconnect_after_s: 60,
      expires_after_s: 3600,
      ...more,
    });
  const computer = (action: string, more: object = {}): Promise<ActionOutcome> =>
    sandboxes.perform(id, {
      key: all.newKey(),
      tool: { type: 'computer_20241022', name: 'computer', display_width_px: 320, display_height_px: 240 },
      input: { action, ...more },
    });
  const pointer = async (): Promise<string> => textOf(await computer('cursor_position'));
  const ended = async (): Promise<string | undefined> =>
    (await readTakeover(sandboxes, id)).takeover?.ended?.reason;

  test('everybody may watch, and nobody act', async () => {
    await computer('mouse_move', { coordinate: [100, 100] });
    const [one, two] = [await watch(), await watch()];
    expect(one.size).toEqual({ width: 320, height: 240 });
    one.pointer(10, 10, 1);
    one.key(0x61);
    // Its answer comes after whatever came before it was dealt with.
    expect((await one.picture()).length).toBe(320 * 240 * 4);
    expect(new Set(await two.picture()).size).toBeGreaterThan(1);
    expect(await pointer()).toBe('X=100,Y=100');
  });

  test('the VNC server opens no port', async () => {
    const ports = 'cat /proc/net/tcp /proc/net/tcp6 | grep " 0A " | wc -l';
    const before = await all.text(sandboxes, id, `pkill x11vnc; ${gone('x11vnc')}; ${ports}`);
    await watch();
    expect(await all.text(sandboxes, id, ports)).toBe(before);
  });

  test('whoever has taken over acts, the agent waits; all of it is recorded', async () => {
    await take('tkov_1');
    await expect(take('tkov_2')).rejects.toMatchObject({ code: 'conflict' });
    await expect(computer('mouse_move', { coordinate: [1, 1] })).rejects.toMatchObject({ code: 'conflict' });
    const [other, hand] = [await watch(), await watch('tkov_1')];
    other.pointer(9, 9);
    await other.picture();
    hand.pointer(50, 60);
    hand.key(0x78);
    hand.send(Buffer.from([4, 1, 0, 0, 0, 0, 0xff, 0xe1]));
    await until(async () => (await readTakeover(sandboxes, id)).inputs.length === 4);
    await hand.picture();
    const takeover = await handBack(sandboxes, id, 'tkov_1');
    expect(takeover.ended).toMatchObject({ reason: 'handed_back' });
    hand.pointer(5, 5);
    await hand.picture();
    expect(await pointer()).toBe('X=50,Y=60');
    const { inputs, next, more } = await readTakeover(sandboxes, id, { after: 1 });
    expect({ inputs, next, more }).toMatchObject({
      inputs: [
        { type: 'key', keysym: 'x', down: true },
        { type: 'key', keysym: 'x', down: false },
        { type: 'key', keysym: 'Shift_L', down: true },
      ],
      next: 4,
      more: false,
    });
    // Shift was let go of with the takeover: what is typed now is not in capitals.
    await all.bash(
      sandboxes,
      id,
      'xterm -e "cat > typed" & xdotool search --sync --onlyvisible xterm windowactivate --sync',
    );
    await computer('type', { text: 'abc\n' });
    await until(async () => (await all.text(sandboxes, id, 'cat typed')) === 'abc');
    await expect(watchScreen(sandboxes, id, 'tkov_1')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a takeover outlives the daemon, and its person’s absence ends it', async () => {
    await take('tkov_3');
    (await watch('tkov_3')).pointer(20, 20);
    await until(async () => (await readTakeover(sandboxes, id)).inputs.length === 1);
    all.killDaemon(id);
    await expect(computer('mouse_move', { coordinate: [1, 1] })).rejects.toMatchObject({ code: 'conflict' });
    expect((await take('tkov_3')).ended).toBeNull();
    expect((await readTakeover(sandboxes, id)).inputs).toHaveLength(1);
    await handBack(sandboxes, id, 'tkov_3');
    await take('tkov_4', { disconnect_after_s: 0.2 });
    await until(async () => (await ended()) === 'disconnected');
    await take('tkov_5', { expires_after_s: 0.2 });
    await until(async () => (await ended()) === 'expired');
    expect((await computer('screenshot')).status).toBe('done');
  });

  test('what is no RFB ends that viewer, and the VNC server goes with the last one', async () => {
    const [bad, good] = [await watch(), await watch()];
    bad.send(Buffer.from([99]));
    await until(() => bad.closed);
    expect((await good.picture()).length).toBeGreaterThan(0);
    expect(await all.text(sandboxes, id, 'pgrep -c x11vnc; true')).toBe('1');
    good.close();
    await until(async () => (await all.text(sandboxes, id, 'pgrep -c x11vnc; true')) === '0');
  });

  test('a server that ended is started again for the next viewer', async () => {
    const first = await watch();
    await all.bash(sandboxes, id, `pkill -9 x11vnc; pkill -9 Xvfb; ${gone('x11vnc')}; ${gone('Xvfb')}`);
    await until(() => first.closed);
    expect((await (await watch()).picture()).length).toBe(320 * 240 * 4);
  });
});
