import { isSandboxError } from '@steadyhand/contracts';
import type { KnownMachine, SandboxRegistry } from '../../../sandbox/registry/registry.ts';
import { remoteConfig } from '../helpers/remote-config.ts';

export const machineId = (n: number): string => `mem_${String(n).padStart(24, '0')}`;

export function machine(
  n: number,
  change: Partial<KnownMachine> = {},
): Omit<KnownMachine, 'seen' | 'silentMs'> {
  return {
    member: machineId(n),
    capacity: 1,
    sandboxes: [],
    draining: false,
    isolation: 'none',
    missing: [],
    address: { host: '127.0.0.1', port: 7000 + n },
    ...change,
  };
}

/** What every registry does, whatever it keeps its records in. `other` opens it as another process does. */
export function registryContract(open: () => { registry: SandboxRegistry; other: SandboxRegistry }): void {
  let registry: SandboxRegistry;
  let other: SandboxRegistry;
  beforeEach(() => {
    ({ registry, other } = open());
  });
  const ask = (sandbox: string, refused: readonly string[] = []) =>
    registry.takePlace({ sandbox, before: null, refused: new Set(refused), awayMs: 20_000 });

  it('a sandbox that one process adds is found by the others, until it is removed', async () => {
    const config = remoteConfig('sbx_1');
    await registry.add(config);
    await other.add({ ...remoteConfig('sbx_1'), compat: 'reference' });
    expect(await other.find('sbx_1')).toEqual({
      config,
      placement: null,
      deleted: false,
      lost: null,
      damage: null,
    });
    expect(await registry.ids()).toEqual(['sbx_1']);
    await registry.noteDamage('sbx_1', 'its ledger');
    expect((await other.find('sbx_1'))?.damage).toBe('its ledger');
    await other.noteDamage('sbx_1', null);
    await registry.markInterrupted('sbx_1', 'key');
    expect(await other.isInterrupted('sbx_1', 'key')).toBe(true);
    expect(await other.isInterrupted('sbx_1', 'another')).toBe(false);
    await registry.markDeleted('sbx_1');
    expect(await other.find('sbx_1')).toMatchObject({ deleted: true, damage: null });
    await Promise.all([registry.remove('sbx_1'), other.remove('sbx_1')]);
    expect([await other.find('sbx_1'), await other.has('sbx_1'), await registry.ids()]).toEqual([
      null,
      false,
      [],
    ]);
    // Another sandbox of this id has nothing of it.
    await registry.add(config);
    expect(await other.isInterrupted('sbx_1', 'key')).toBe(false);
  });

  it('two processes that add and delete one id at once leave a whole sandbox or none', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = [registry, other].map((each) => each.add(remoteConfig('sbx_1')));
      const deleted = [registry, other].map(async (each) => {
        if (!(await each.has('sbx_1'))) return;
        await each.markDeleted('sbx_1').catch(gone);
        await each.remove('sbx_1');
      });
      await Promise.all([...made, ...deleted]);
      const found = await other.find('sbx_1');
      expect(found === null || found.config.id === 'sbx_1').toBe(true);
      await registry.remove('sbx_1');
    }
  });

  it('everybody has the same owner', async () => {
    expect(await registry.owner()).toBe(await other.owner());
    expect(await registry.owner()).not.toBe('');
  });

  it('of several that place a sandbox at once one does, and who has seen an older placement writes nothing', async () => {
    await registry.add(remoteConfig('sbx_1'));
    const choices = Array.from({ length: 10 }, (_, n) => ({ machine: machineId(n), held: false }));
    const places = await Promise.all(
      choices.map((choice, n) => (n % 2 === 0 ? registry : other).follow('sbx_1', null, choice)),
    );
    const [first, ...more] = places.filter((place) => place !== null);
    expect(more).toEqual([]);
    expect(await other.placement('sbx_1')).toEqual(first);
    const held = await registry.follow('sbx_1', first!, { machine: first!.machine, held: true });
    expect(held).toEqual({ machine: first!.machine, held: true, number: 2 });
    expect(await other.follow('sbx_1', first!, { machine: machineId(7), held: false })).toBeNull();
    expect(await other.follow('sbx_1', null, { machine: machineId(7), held: false })).toBeNull();
    expect((await registry.find('sbx_1'))?.placement).toEqual(held);
  });

  it('a sandbox is given up only by who knows its newest placement', async () => {
    await registry.add(remoteConfig('sbx_1'));
    const first = await registry.follow('sbx_1', null, { machine: machineId(1), held: false });
    const held = await registry.follow('sbx_1', first, { machine: machineId(1), held: true });
    expect(await other.markLost('sbx_1', first!, 'gone')).toBe(false);
    expect((await other.find('sbx_1'))?.lost).toBeNull();
    expect(await other.markLost('sbx_1', held!, 'gone')).toBe(true);
    expect((await registry.find('sbx_1'))?.lost).toBe('gone');
    expect(await registry.lost()).toBe(1);
    await registry.remove('sbx_1');
    expect(await registry.lost()).toBe(0);
  });

  it('machines are known to everybody with what they told last, and when', async () => {
    await registry.putMachine(machine(1, { capacity: 4 }));
    await other.putMachine(machine(2));
    await other.putMachine(machine(1, { capacity: 5, draining: true }));
    const known = await registry.machines();
    expect(known.map(({ member }) => member).toSorted()).toEqual([machineId(1), machineId(2)]);
    expect(await registry.machine(machineId(1))).toMatchObject(machine(1, { capacity: 5, draining: true }));
    const { seen, silentMs } = (await registry.machine(machineId(1)))!;
    expect(Math.abs(Date.now() - seen)).toBeLessThan(60_000);
    expect(silentMs).toBeLessThan(60_000);
    await other.removeMachine(machineId(1));
    expect(await registry.machine(machineId(1))).toBeNull();
  });

  it('gives each place once, however many ask at once, and the rest wait in the order in which they came', async () => {
    await registry.putMachine(machine(1, { capacity: 2 }));
    await registry.putMachine(machine(2));
    const ids = Array.from({ length: 6 }, (_, n) => `sbx_${n}`);
    for (const id of ids) await registry.add(remoteConfig(id));
    const answers = [];
    for (const id of ids) answers.push(await ask(id));
    expect(answers.map(({ type }) => type)).toEqual([...times(3, 'placed'), ...times(3, 'waiting')]);
    expect(answers.slice(3)).toEqual([0, 1, 2].map((ahead) => ({ type: 'waiting', ahead })));
    expect(await other.waiting()).toBe(3);
    const machines = answers.flatMap((answer) =>
      answer.type === 'placed' ? [answer.placement.machine] : [],
    );
    expect(machines.toSorted()).toEqual([machineId(1), machineId(1), machineId(2)]);
    await other.remove('sbx_0');
    // The place is for the first in the line.
    expect(await ask('sbx_4')).toEqual({ type: 'waiting', ahead: 1 });
    expect(await ask('sbx_3')).toMatchObject({ type: 'placed' });
    await other.leaveLine('sbx_4');
    expect(await ask('sbx_5')).toEqual({ type: 'waiting', ahead: 0 });
    await registry.remove('sbx_5');
    expect(await other.waiting()).toBe(0);
  });

  it('places nothing on machines that are draining, refused, full of others, or silent', async () => {
    await registry.add(remoteConfig('sbx_1'));
    await registry.putMachine(machine(1, { draining: true }));
    await registry.putMachine(machine(2));
    const held = { id: 'sbx_x', owner: 'somebody else', created_at: 'then' };
    await registry.putMachine(machine(3, { sandboxes: [held] }));
    expect(await ask('sbx_1', [machineId(2)])).toEqual({ type: 'waiting', ahead: 0 });
    const silent = { sandbox: 'sbx_1', before: null, refused: new Set<string>(), awayMs: -60_000 };
    expect(await registry.takePlace(silent)).toEqual({ type: 'waiting', ahead: 0 });
    expect(await ask('sbx_1')).toMatchObject({
      type: 'placed',
      placement: { machine: machineId(2), held: false },
    });
  });

  it('a place whose sandbox was lost is free again, and a request from before is told so', async () => {
    await registry.putMachine(machine(1));
    for (const id of ['sbx_1', 'sbx_2']) await registry.add(remoteConfig(id));
    const first = await ask('sbx_1');
    if (first.type !== 'placed') throw new Error('no place');
    expect(await ask('sbx_1')).toEqual({ type: 'changed' });
    expect(await ask('sbx_2')).toMatchObject({ type: 'waiting' });
    await registry.markLost('sbx_1', first.placement, 'gone');
    expect(await ask('sbx_2')).toMatchObject({ type: 'placed' });
    await registry.markDeleted('sbx_2');
    expect(await ask('sbx_2')).toEqual({ type: 'changed' });
    expect(await ask('sbx_never_made')).toEqual({ type: 'changed' });
  });
}

function gone(error: unknown): void {
  // The other one has removed it meanwhile.
  if (!isSandboxError(error) && !/ENOENT/.test(String(error))) throw error;
}

function times(count: number, word: string): string[] {
  return Array.from({ length: count }, () => word);
}
