import { TestSandboxes } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

/** What two sandboxes, or an agent and the guest, have of each other: nothing. */
describe('from inside a sandbox, the neighbours', () => {
  let one: string;
  let two: string;
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());
  beforeAll(async () => {
    [one, two] = (await Promise.all([client.create(), client.create()])).map(({ id }) => id) as [
      string,
      string,
    ];
  });
  const python = (id: string, script: string): Promise<string> =>
    test.text(client, id, `python3 - 2>&1 <<'END'\n${script}\nEND`);

  it('share no abstract sockets, shared memory, queues or loopback', async () => {
    await test.bash(
      client,
      one,
      `python3 -c '
import socket, time
s = socket.socket(socket.AF_UNIX); s.bind("\\0neighbour"); s.listen()
open("/dev/shm/neighbour", "w").write("x")
open("/tmp/up", "w").write("x")
time.sleep(300)' >/dev/null 2>&1 & until [ -e /tmp/up ]; do sleep 0.05; done; ipcmk -M 4096 -Q >/dev/null 2>&1`,
    );
    expect(await test.text(client, one, 'grep -c "@neighbour" /proc/net/unix; ls /dev/shm')).toMatch(
      /^1\nneighbour/,
    );
    expect(
      await python(
        two,
        `
import os, socket
try: socket.socket(socket.AF_UNIX).connect('\\0neighbour'); print('CONNECTED')
except OSError as e: print('refused')
print(os.path.exists('/dev/shm/neighbour'))
`,
      ),
    ).toBe('refused\nFalse');
    expect(
      await test.text(client, two, 'tail -n +2 /proc/sysvipc/shm /proc/sysvipc/msg | grep -c agent; true'),
    ).toBe('0');
  });

  it('see only their own display', async () => {
    await client.screenshot(one);
    await client.screenshot(two);
    expect(await test.text(client, two, 'ls -A /tmp/.X11-unix')).toBe('X1');
    expect(
      await test.text(
        client,
        two,
        'for n in 0 2 3 99; do DISPLAY=:$n timeout 5 xdotool getmouselocation 2>&1; done | grep -c "^x:"; true',
      ),
    ).toBe('0');
  });

  // A server that is no root has no other user to give the agent.
  const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;
  describeAsRoot('as a user of its own', () => {
    it('the guest is neither traced nor read, and nobody becomes another user', async () => {
      const answers = await python(
        one,
        `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
guest = next(int(p) for p in os.listdir('/proc') if p.isdigit() and b'guest.cjs' in open('/proc/%s/cmdline' % p, 'rb').read())
print(libc.ptrace(16, guest, 0, 0))
for path in ('/proc/%d/mem' % guest, '/proc/1/mem', '/proc/%d/environ' % guest):
    try: open(path, 'rb').read(1); print('READ', path)
    except OSError: print('refused')
for path in ('/proc/1/root/etc/shadow', '/proc/%d/root/root' % guest, '/proc/%d/fd/0' % guest):
    try: os.stat(path); print('THERE', path)
    except OSError: print('refused')
for act in (lambda: os.setuid(0), lambda: os.setgroups([0]), lambda: os.chown('/home/agent', 0, 0)):
    try: act(); print('DONE')
    except OSError: print('refused')
`,
      );
      expect(answers).toBe(['-1', ...Array<string>(9).fill('refused')].join('\n'));
      expect(
        await test.text(
          client,
          one,
          'for p in $(find /usr/bin /usr/lib -perm -4000 -type f 2>/dev/null | head -8); do timeout 0.3 $p </dev/null >/dev/null 2>&1; done; cp /bin/bash ~/suid && chmod 4755 ~/suid && ~/suid -p -c "id -u"',
        ),
      ).toBe('1000');
    });
  });

  it('devices are the harmless ones', async () => {
    expect(
      await test.text(
        client,
        one,
        'cd /dev; for d in mem kmem sda vda kvm fuse tty0 input loop0 net/tun; do [ -e $d ] && echo $d; done; mknod ~/disk b 254 0 2>&1 | grep -c "not permitted"',
      ),
    ).toBe('1');
  });
});
