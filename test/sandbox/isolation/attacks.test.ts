import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { LIST_OPEN_FILES, openFiles } from '../helpers/open-files.ts';
import { TestSandboxes, textOf } from '../helpers/sandboxes.ts';
import { listening } from '../../support/listening.ts';

const EDITOR = { type: 'text_editor_20241022', name: 'str_replace_editor' } as const;
const SECRET = 'the-secret-of-the-host';

/** Attacks from inside, as an agent that was talked into it would try them. */
describe('from inside a sandbox', () => {
  let test: TestSandboxes;
  let client: Sandboxes;
  let id: string;
  let secrets: string;
  beforeAll(async () => {
    process.env['ANTHROPIC_API_KEY'] = SECRET;
    test = TestSandboxes.open();
    client = test.client();
    secrets = mkdtempSync(join(tmpdir(), 'steadyhand-host-'));
    writeFileSync(join(secrets, 'key'), SECRET, { mode: 0o644 });
    ({ id } = await client.create());
  });
  afterAll(async () => {
    delete process.env['ANTHROPIC_API_KEY'];
    await test.close();
    rmSync(secrets, { recursive: true });
  });
  const sh = (command: string): Promise<string> => test.text(client, id, command);
  const edit = async (input: object): Promise<string> =>
    textOf(await client.perform(id, { key: test.newKey(), tool: EDITOR, input }));

  it('nothing of the host is read but the system', async () => {
    expect(
      await sh(`cat ${secrets}/key ${homedir()}/.bashrc ${process.cwd()}/package.json 2>&1 | sort -u`),
    ).not.toMatch(/the-secret|bash_completion|steadyhand"/);
    expect(await sh('cat /etc/shadow 2>&1; true')).toMatch(/No such file/);
    expect(await sh('ls /')).toBe(
      'bin\ndev\netc\nhome\nlib\nlib64\nmnt\nopt\nproc\nrun\nsbin\ntmp\nuploads\nusr\nvar',
    );
    expect(await sh('ls /home; ls -A /run /tmp; ls -A ~')).not.toContain('secret');
    expect(await sh('ls /sys /boot /srv /root 2>&1 | grep -c "No such file"')).toBe('4');
    expect(await sh('find /var/lib -type f')).toBe('/var/lib/dpkg/status');
    expect(await sh('find /mnt/* | sort')).toBe('/mnt/session\n/mnt/session/outputs\n/mnt/session/uploads');
  });

  it('what is there of the system can be read by the agent', async () => {
    expect(
      await sh(
        'find /etc /opt /usr/share/fonts /var -not -type l -not -path /opt/steadyhand/guest -not -readable 2>&1; true',
      ),
    ).toBe('');
    expect(
      await sh('head -c 27 /etc/ssl/certs/ca-certificates.crt; ls /opt/steadyhand/desktop/xdg/openbox'),
    ).toBe('-----BEGIN CERTIFICATE-----menu.xml\nrc.xml');
  });

  it('no variable of the host is in any environment', async () => {
    expect(await sh('env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"')).not.toMatch(
      new RegExp(`${SECRET}|ANTHROPIC|TEMPORAL|\\bDATA_DIR\\b|${test.dir}`),
    );
  });

  it('the user is the agent, without privileges, and cannot become another', async () => {
    expect(await sh('id -un; id -u; id -G')).toBe('agent\n1000\n1000');
    expect(
      await sh("grep -E 'CapPrm|CapEff|CapAmb' /proc/self/status | grep -vc 0000000000000000; true"),
    ).toMatch(/0$/);
    expect(await sh('grep NoNewPrivs /proc/self/status')).toMatch(/1$/);
    expect(
      await sh(
        'su -c id 2>&1; sudo -n id 2>&1; mount -t tmpfs none /home/agent 2>&1; python3 -c "import os; os.setuid(0)" 2>&1 | tail -1',
      ),
    ).not.toMatch(/uid=0/);
  });

  it("the kernel's settings cannot be written, whoever the daemon's user is", async () => {
    const settings = [
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/hostname',
      '/proc/sys/vm/overcommit_memory',
    ];
    for (const path of settings) {
      const before = readFileSync(path, 'utf8');
      expect(await sh(`cp ${path} /tmp/same && cat /tmp/same > ${path} && echo WRITTEN`)).not.toContain(
        'WRITTEN',
      );
      expect(readFileSync(path, 'utf8')).toBe(before);
    }
    // An ordinary user owns the namespaces that some of them belong to, and changes nobody else's.
    const own =
      process.getuid?.() === 0 ? '' : '\\|/proc/sys/kernel/\\(auto_msgmni\\|msg\\|sem\\|shm\\|pid_max\\)';
    expect(
      await sh(
        'find /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus -type f -writable 2>/dev/null | grep -v "/proc/sys/net\\|/proc/sys/user\\|ns_last_pid\\|/proc/sys/fs/\\(mqueue\\|binfmt\\)' +
          `${own}" | head`,
      ),
    ).toBe('');
  });

  it('the system cannot be changed', async () => {
    expect(
      await sh(
        'for d in / /usr /usr/bin /etc /opt /opt/steadyhand /dev /bin; do touch $d/x 2>/dev/null && echo "wrote $d"; done; true',
      ),
    ).not.toContain('wrote');
    expect(
      await sh('echo x >> /opt/steadyhand/guest.cjs || echo refused; echo x >> /etc/passwd || echo refused'),
    ).toMatch(/refused[^]*refused/);
    expect(await sh('ls /dev')).toBe(
      'console\ncore\nfd\nfull\nnull\nptmx\npts\nrandom\nshm\nstderr\nstdin\nstdout\ntty\nurandom\nzero'.replace(
        'console\n',
        '',
      ),
    );
  });

  it('no process of the host is seen or reached', async () => {
    const processes = await sh('ps -eo pid,args');
    expect(processes).not.toContain('sandbox-daemon');
    expect(processes).not.toContain('jest');
    const daemon = test.daemonPid(id);
    expect(await sh(`kill -9 ${daemon} ${process.pid} 2>&1; true`)).toMatch(/No such process/);
    expect(test.daemonPid(id)).toBe(daemon);
  });

  it('loopback services, the metadata address and the network are not reached', async () => {
    const server = createServer((_request, response) => response.end(SECRET));
    const port = await listening(server, '0.0.0.0');
    const connect = (host: string, to: number): Promise<string> =>
      sh(`timeout 3 bash -c 'exec 3<>/dev/tcp/${host}/${to} && echo CONNECTED' 2>&1; true`);
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await connect(host, port)).not.toContain('CONNECTED');
    expect(await connect('169.254.169.254', 80)).not.toContain('CONNECTED');
    expect(await sh('cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d " "')).toBe('lo');
    expect(await sh('cat /proc/net/unix | tail -n +2 | grep -v X11 | grep -c @; true')).toMatch(/0/);
    await new Promise((resolve) => server.close(resolve));
  });

  it("the ledger, the daemon's socket and other sandboxes are out of sight", async () => {
    const other = await client.create();
    await test.bash(client, other.id, `echo ${SECRET} > ~/private; echo ${SECRET} > /tmp/private`);
    expect(await sh(`ls ${test.dir} ${test.folderOf(id)} ${test.folderOf(other.id)} 2>&1; true`)).toMatch(
      /No such file[^]*No such file[^]*No such file/,
    );
    expect(
      await sh(
        'find / -name "ledger*" -o -name "daemon.*.sock" -o -name private 2>/dev/null | grep -v ^/usr; true',
      ),
    ).not.toMatch(/^\//m);
    expect(await sh('cd ~/..; ls -A; cd /tmp/.X11-unix/..; ls -A')).toMatch(
      /^agent\n(.X1-lock\n)?.X11-unix(\nsame)?$/,
    );
    await client.delete(other.id);
  });

  it('no open file or socket of the daemon is handed on', async () => {
    expect(openFiles(await sh(LIST_OPEN_FILES))).toEqual([0, 1, 2, 255]);
    expect(await sh('readlink /proc/[0-9]*/fd/* 2>/dev/null')).not.toContain(test.dir);
  });

  it('symbolic links lead nowhere outside, for the shell, the editor and the X socket', async () => {
    await sh(
      `ln -s ${secrets}/key link; ln -s /etc/shadow shadow; ln -s ../../../../../../../../${secrets}/key up; ln -s /proc/1/root/etc/shadow init`,
    );
    for (const name of ['link', 'shadow', 'up', 'init']) {
      expect(await edit({ command: 'view', path: `/home/agent/${name}` })).not.toMatch(
        new RegExp(`${SECRET}|root:[*!$]`),
      );
    }
    await edit({ command: 'create', path: '/home/agent/link', file_text: 'overwritten' });
    expect(readFileSync(join(secrets, 'key'), 'utf8')).toBe(SECRET);
    expect(await edit({ command: 'view', path: '/proc/1/environ' })).not.toContain(SECRET);
  });

  it('a socket swapped for a link does not lead the daemon to a socket of the host', async () => {
    const own = await client.create();
    await client.screenshot(own.id);
    let visited = 0;
    const trap = createServer(() => (visited += 1)).on('connection', () => (visited += 1));
    const socket = join(secrets, 'trap.sock');
    await new Promise<void>((resolve) => trap.listen(socket, resolve));
    // What the agent can do in its X11 folder, done here because only the host knows the path to lead to.
    const x11 = layoutOf(test.folderOf(own.id)).x11;
    await test.bash(client, own.id, 'pkill -STOP openbox; rm -f /tmp/.X11-unix/X1; true');
    symlinkSync(socket, join(x11, 'X1'));
    await test.bash(client, own.id, 'kill -9 $(pgrep Xvfb)');
    await client.screenshot(own.id).catch(() => undefined);
    expect(visited).toBe(0);
    await client.delete(own.id);
    await new Promise((resolve) => trap.close(resolve));
  });

  it('a fork bomb and a full /tmp stay inside, and the sandbox goes on', async () => {
    const own = await client.create();
    expect(await test.text(client, own.id, 'ulimit -u')).toBe('4096');
    await test.bash(
      client,
      own.id,
      'head -c 2G /dev/zero > /tmp/full; ls -l /tmp/full | cut -d" " -f5; rm /tmp/full',
    );
    expect(await test.text(client, own.id, 'echo on')).toBe('on');
    await client.delete(own.id);
  });

  it('what the agent leaves in its home is data for the next boot, not a program of ours', async () => {
    const own = await client.create();
    const { workspace } = layoutOf(test.folderOf(own.id));
    mkdirSync(join(workspace, '.local/bin'), { recursive: true });
    for (const name of ['Xvfb', 'bwrap', 'node', 'bash', 'mkfifo']) {
      writeFileSync(join(workspace, '.local/bin', name), `#!/bin/sh\ntouch ${secrets}/run-by-$0\n`, {
        mode: 0o755,
      });
    }
    for (const name of ['.bashrc', '.bash_profile', '.profile', '.bash_login']) {
      writeFileSync(join(workspace, name), 'test "$(id -u)" = 1000 || touch /tmp/run-as-another\n');
    }
    process.kill(test.daemonPid(own.id), 'SIGKILL');
    expect(await test.text(client, own.id, 'echo on')).toMatch(/on$/);
    expect(await test.text(client, own.id, 'ls /tmp/run-as-another')).toMatch(/No such file/);
    expect((await client.screenshot(own.id)).length).toBeGreaterThan(100);
    await client.delete(own.id);
  });
});
