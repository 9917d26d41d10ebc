import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureFolders } from '../../../sandbox/daemon/disk-limit/measure-folders.ts';
import { openControlGroup, removeControlGroups } from '../../../sandbox/isolation/limits/cgroup.ts';
import { machineName } from '../../../sandbox/machine-name.ts';
import { TestSandboxes, textOf, until } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const NONE = { memory_mib: null, processes: null, disk_mib: null, files: null, cpus: null };

/** Programs that write 200 MiB to files without a name, and hold them. */
const HOLDERS: [how: string, script: string][] = [
  [
    'open',
    `import os, time
files = []
for i in range(100):
  f = open("x", "wb"); os.unlink("x"); f.write(bytes(2 << 20)); f.flush(); files.append(f)
time.sleep(100)`,
  ],
];
// What is mapped alone is seen by root.
if (process.getuid?.() === 0) {
  HOLDERS.push([
    'mapped',
    `import mmap, os, time
maps = []
for i in range(100):
  f = open("x", "w+b"); f.write(bytes(2 << 20)); f.flush(); maps.append(mmap.mmap(f.fileno(), 0)); os.unlink("x"); f.close()
time.sleep(100)`,
  ]);
}

/** Attacks on what the machine has, each really made. */
describe('from inside a sandbox with limits', () => {
  /** What this machine's control groups take. */
  let holds: readonly string[];
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());
  beforeAll(async () => {
    ({ holds } = openControlGroup('sbx_probe', { ...NONE, memory_mib: 100, processes: 100, cpus: 1 }));
    await removeControlGroups('sbx_probe');
  });

  it('a fork bomb stays inside, and the host, the other sandbox and this one go on', async () => {
    const [bombed, other] = await Promise.all([
      client.create({ limits: { processes: 200 } }),
      client.create(),
    ]);
    expect(bombed.limits.processes).toBe(200);
    const bomb = client.perform(bombed.id, {
      key: test.newKey(),
      tool: { type: 'bash_20241022', name: 'bash' },
      input: { command: 'b() { b | b & }; b 2>/dev/null; sleep 1; ps -e --no-headers 2>/dev/null | wc -l' },
    });
    expect(await test.text(client, other.id, 'for i in $(seq 50); do /bin/true; done; echo fine')).toBe(
      'fine',
    );
    await bomb;
    expect(await test.text(client, other.id, 'echo still fine')).toBe('still fine');
    // Whatever the bomb left: a sandbox that is deleted leaves none of it.
    await client.delete(bombed.id);
    await client.delete(other.id);
  });

  it('memory: what asks for too much is ended or refused, nothing else', async () => {
    const { id } = await client.create({ limits: { memory_mib: 600 } });
    const script = 'x = []\nwhile True: x.append(bytearray(20_000_000)); print(len(x), flush=True)';
    const eaten = await test.text(client, id, `python3 -c '${script}' 2>/dev/null | tail -1`);
    expect(Number(/^\d+$/m.exec(eaten)?.[0])).toBeLessThan(32);
    const next = await test.text(client, id, 'echo on');
    expect(next).toMatch(/on$/);
    // Of each process by itself the kernel refuses memory to the program, and counts nothing.
    const told =
      /<system>The memory limit of this computer, 600 MiB for all programs[^<]* 1 process was ended for it/;
    expect(`${eaten}\n${next}`).toMatch(holds.includes('memory_mib') ? told : /on$/);
    expect(await test.text(client, id, 'echo on')).toBe('on');
    await client.delete(id);
  });

  it('processes: those that could not be started are told, once', async () => {
    const { id } = await client.create({ limits: { processes: 64 } });
    const many = 'for i in $(seq 100); do sleep 100 & done 2>/dev/null; kill $(jobs -p); wait; echo over';
    const result = await test.text(client, id, many);
    const told = /The limit of 64 processes and threads was reached: \d+/;
    expect(result).toMatch(holds.includes('processes') ? told : /over$/);
    await test.bash(client, id, 'true');
    expect(await test.text(client, id, 'echo on')).toBe('on');
    await client.delete(id);
  });

  it('a full /tmp is told, once until there is room again', async () => {
    const { id } = await client.create({ limits: { memory_mib: 2048 } });
    const fill = 'head -c 2G /dev/zero > /tmp/full 2>/dev/null; echo on';
    expect(await test.text(client, id, fill)).toBe(
      '<system>/tmp was full: it holds 1024 MiB at most</system>\non',
    );
    expect(await test.text(client, id, 'echo on')).toBe('on');
    expect(await test.text(client, id, 'rm /tmp/full; echo on')).toBe('on');
    const toolset = { type: 'agent_toolset_20260401', name: 'bash' } as const;
    const told = await client.perform(id, { key: test.newKey(), tool: toolset, input: { command: fill } });
    expect(textOf(told)).toBe('<system>/tmp was full: it holds 1024 MiB at most</system>\non');
    await client.delete(id);
    const reference = await client.create({ limits: { memory_mib: 2048 }, compat: 'reference' });
    expect(await test.text(client, reference.id, `${fill} >&2`)).toMatch(
      /^<system>\/tmp was full: it holds 1024 MiB at most<\/system>/,
    );
    await client.delete(reference.id);
  });

  it('disk: one file cannot be larger than all may be, many together end what writes them', async () => {
    const { id } = await client.create({ limits: { disk_mib: 48 } });
    expect(
      await test.text(client, id, 'head -c 100M /dev/zero > ~/one 2>/dev/null; stat -c %s ~/one; rm ~/one'),
    ).toMatch(`${48 * 1024 * 1024}`);
    const filling = test.text(
      client,
      id,
      'i=0; while :; do head -c 4M /dev/zero > ~/f$i || sleep 0.2; i=$((i+1)); [ $i -gt 500 ] && sleep 60; done',
    );
    expect(await filling).toMatch(/The computer stopped/);
    let told = '';
    await until(async () =>
      (told += await test.text(client, id, 'rm -f ~/f*; echo deleted')).includes('deleted'),
    );
    expect(told).toMatch(/folders held \d+ MiB, more than the 48 MiB it may/);
    expect(await test.text(client, id, 'echo small > ~/note; cat ~/note')).toBe('small');
    await client.delete(id);
  });

  it.each(HOLDERS)(
    'disk: files that are unlinked and still %s count, and what holds them is ended',
    async (_how, script) => {
      const { id } = await client.create({ limits: { disk_mib: 48 } });
      await test.bash(client, id, `cat >hold.py <<'PYTHON'\n${script}\nPYTHON`);
      expect(await test.text(client, id, 'python3 hold.py')).toMatch(/The computer stopped/);
      const told = await test.text(client, id, 'ls');
      expect(told).toMatch(
        /held \d+ MiB, \d+ MiB of it in deleted files that were still open, more than the 48 MiB it may/,
      );
      expect(await test.text(client, id, 'echo small > note; cat note')).toBe('small');
      await client.delete(id);
    },
  );

  it('files: so many may be made and no more, however small they are', async () => {
    const { id } = await client.create({ limits: { files: 2_000 } });
    expect(id).toBeDefined();
    const filling = test.text(
      client,
      id,
      'i=0; while :; do mkdir d$i && (cd d$i; touch $(seq 200)); i=$((i+1)); done',
    );
    expect(await filling).toMatch(/The computer stopped/);
    expect(await test.text(client, id, 'rm -r d*; echo deleted')).toMatch(
      /held \d+ files and folders, more than the 2000 they may: delete some first[^]*deleted$/,
    );
    expect(await test.text(client, id, 'touch d0; echo on')).toBe('on');
    await client.delete(id);
  });

  it('control groups hold what they can, and go with their sandbox', async () => {
    const { id } = await client.create({ limits: { memory_mib: 700, processes: 300, cpus: 0.5 } });
    const { folders } = openControlGroup(machineName(test.folderOf(id)), {
      memory_mib: 700,
      processes: 300,
      disk_mib: null,
      files: null,
      cpus: 0.5,
    });
    for (const folder of folders) expect(existsSync(join(folder, 'cgroup.procs'))).toBe(true);
    if (holds.length === 0) console.warn('no control group takes limits here: rlimits hold alone');
    expect(await test.text(client, id, 'ulimit -u')).toBe('300');
    await client.delete(id);
    for (const folder of folders) expect(existsSync(folder)).toBe(false);
  });

  it("a folder's size counts files with two names once and follows no link", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steadyhand-size-'));
    writeFileSync(join(folder, 'a'), Buffer.alloc(1_000_000, 1));
    const { execFileSync } = await import('node:child_process');
    execFileSync('ln', [join(folder, 'a'), join(folder, 'b')]);
    execFileSync('ln', ['-s', '/usr', join(folder, 'c')]);
    const { bytes, files } = await measureFolders([folder], { count: true, urgent: false });
    expect(bytes).toBeGreaterThanOrEqual(1_000_000);
    expect(bytes).toBeLessThan(1_100_000);
    // The folder, the file with two names, the link.
    expect(files).toBe(3);
    rmSync(folder, { recursive: true });
  });
});
