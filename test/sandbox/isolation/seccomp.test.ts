import { seccompFilter } from '../../../sandbox/isolation/seccomp/filter.ts';
import { TestSandboxes } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const native = process.arch === 'x64' || process.arch === 'arm64' ? describe : describe.skip;

native('from inside a sandbox, the kernel', () => {
  let id: string;
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());
  beforeAll(async () => {
    ({ id } = await client.create());
  });
  const python = (script: string): Promise<string> =>
    test.text(client, id, `python3 - 2>&1 <<'END'\n${script}\nEND`);

  it('filters calls', async () => {
    expect(await test.text(client, id, 'grep Seccomp: /proc/self/status | tr -d "[:space:]"')).toBe(
      'Seccomp:2',
    );
  });

  it('refuses mounts, keyrings, code, clocks, and namespaces that Chromium has no use for', async () => {
    const x64 = process.arch === 'x64';
    const numbers = {
      keyctl: x64 ? 250 : 219,
      add_key: x64 ? 248 : 217,
      bpf: x64 ? 321 : 280,
      perf_event_open: x64 ? 298 : 241,
      mount: x64 ? 165 : 40,
      setns: x64 ? 308 : 268,
      userfaultfd: x64 ? 323 : 282,
      syslog: x64 ? 103 : 116,
      kexec_load: x64 ? 246 : 104,
      open_by_handle_at: x64 ? 304 : 265,
    };
    const gone = { clone3: 435, io_uring_setup: 425, fsopen: 430, mount_setattr: 442 };
    const answers = await python(`
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    r = libc.syscall(*[ctypes.c_long(a) for a in args])
    return 'OK' if r >= 0 else errno.errorcode[ctypes.get_errno()]
print(*[call(n, 0, 0, 0, 0, 0) for n in ${JSON.stringify(Object.values(numbers))}])
print(*[call(n, 0, 0, 0, 0, 0) for n in ${JSON.stringify(Object.values(gone))}])
print(*[call(${x64 ? 272 : 97}, flags) for flags in [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000 | 0x20000]])
print(call(${x64 ? '0x40000000 + 39' : '39 + 100000'}))
`);
    expect(answers.split('\n')).toEqual([
      Array(10).fill('EPERM').join(' '),
      Array(4).fill('ENOSYS').join(' '),
      Array(5).fill('EPERM').join(' '),
      'ENOSYS',
    ]);
  });

  it('refuses to type into a terminal, and sockets other than those of the internet and of the machine itself', async () => {
    expect(
      await python(`
import fcntl, os, pty, socket, errno
pid, fd = pty.fork()
if pid == 0:
    try: fcntl.ioctl(0, 0x5412, b'x'); os._exit(1)
    except OSError as e: os._exit(0 if e.errno == errno.EPERM else 2)
print(os.waitpid(pid, 0)[1])
def made(*args):
    try: socket.socket(*args).close(); return 'open'
    except OSError as e: return errno.errorcode[e.errno]
print(made(socket.AF_UNIX), made(socket.AF_INET), made(socket.AF_INET6), made(16, 3, 0))
print(*[made(family, 3, 0) for family in (17, 40, 38, 21, 29, 31)], made(16, 3, 12), made(16, 3, 6))
`),
    ).toBe(`0\nopen open open open\n${Array(8).fill('EAFNOSUPPORT').join(' ')}`);
  });

  it('lets programs be: threads, pipes, a debugger of its own, users in namespaces of their own', async () => {
    expect(
      await python(`
import ctypes, os, subprocess, threading
threads = [threading.Thread(target=lambda: None) for _ in range(20)]
[t.start() for t in threads]; [t.join() for t in threads]
print(subprocess.run(['unshare', '-Urpf', '--net', '/usr/sbin/chroot', '/', 'true']).returncode)
print(subprocess.run(['bash', '-c', 'cat <(echo a) | sort | head -1'], capture_output=True, text=True).stdout.strip())
pid = os.fork()
if pid == 0:
    ctypes.CDLL(None).ptrace(0, 0, 0, 0); os.kill(os.getpid(), 19); os._exit(0)
print(os.WIFSTOPPED(os.waitpid(pid, 0)[1])); os.kill(pid, 9)
`),
    ).toBe('0\na\nTrue');
    expect(
      await test.text(client, id, '/opt/steadyhand/node -e "fetch; setTimeout(() => console.log(1), 1)"'),
      // Node 22 warns that the variable by which it knows of the proxy is experimental.
    ).toMatch(/^1$/m);
  });
});

describe('the filter', () => {
  it('exists for the two architectures, as whole instructions whose jumps stay within', () => {
    for (const architecture of ['x64', 'arm64']) {
      const bytes = seccompFilter(architecture) ?? Buffer.alloc(0);
      const count = bytes.length / 8;
      expect(count).toBeGreaterThan(50);
      expect(Number.isInteger(count)).toBe(true);
      for (let index = 0; index < count; index += 1) {
        const [jt = 0, jf = 0] = bytes.subarray(index * 8 + 2);
        const furthest = index + Math.max(jt, jf) + ((bytes[index * 8] ?? 0) === 6 ? 0 : 1);
        expect(furthest).toBeLessThan(count);
      }
    }
    expect(seccompFilter('riscv64')).toBeNull();
  });
});
