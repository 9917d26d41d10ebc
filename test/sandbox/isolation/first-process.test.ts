import { asOrdinaryUser } from '../helpers/ordinary-user.ts';
import { TestSandboxes } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

/** Tries to look into the first process and the guest, plainly and with all rights in a user namespace of one's own. */
const ATTACK = `cat >attack.py <<'PYTHON'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def refused(name, act):
    try: result = act()
    except OSError: result = -1
    if result != -1: print(name, 'WORKED', result)
    else: print(name, 'refused')
def guests():
    for pid in sorted(int(name) for name in os.listdir('/proc') if name.isdigit()):
        if pid == 1 or b'guest.cjs' in open('/proc/%d/cmdline' % pid, 'rb').read(): yield pid
for pid in guests():
    refused('attach', lambda: libc.ptrace(16, pid, 0, 0))
    refused('seize', lambda: libc.ptrace(0x4206, pid, 0, 0))
    fd = libc.syscall(434, pid, 0)
    for number in (0, 1, 2): refused('descriptor', lambda: libc.syscall(438, fd, number, 0))
    for name in ('environ', 'mem', 'maps', 'auxv'):
        refused(name, lambda: open('/proc/%d/%s' % (pid, name), 'rb').read(1))
    for name in ('fd', 'root', 'cwd', 'map_files'):
        refused(name, lambda: os.listdir('/proc/%d/%s' % (pid, name)))
    refused('exe', lambda: os.readlink('/proc/%d/exe' % pid))
refused('program', lambda: os.chmod('/opt/steadyhand/guest', 0o755))
PYTHON
python3 attack.py | sort | uniq -c | grep -v refused; unshare -Ur python3 attack.py | sort | uniq -c | grep -v refused
python3 attack.py | wc -l; unshare -Ur python3 attack.py | wc -l`;

const RIGHTS = "grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status | cut -f2 | sort -u";
/** Ones whose parents have ended are taken in by the first process. */
const ORPHANS = `for i in $(seq 20); do (sleep 0.01 & ); done; until [ "$(ps -eo comm= | grep -c ^sleep)" = 0 ]; do :; done; ps -eo stat= | grep -c ^Z; true`;
/** Two processes, 2 + 3 + 4 + 4 + 1 attempts each, and one on their program. */
const ATTEMPTS = 2 * 14 + 1;

describe('the first process and the guest', () => {
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());

  it('are closed to the agent, who has no rights and no way to any, and orphans are taken in', async () => {
    const { id } = await client.create();
    expect(await test.text(client, id, ATTACK)).toBe(`${ATTEMPTS}\n${ATTEMPTS}`);
    expect(await test.text(client, id, RIGHTS)).toBe('0000000000000000');
    expect(await test.text(client, id, ORPHANS)).toBe('0');
    await client.delete(id);
  });

  const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

  // An ordinary user's test run covers the ordinary user by itself.
  describeAsRoot("of an ordinary user's server", () => {
    it('are closed too', () => {
      const run = (key: string, command: string): string =>
        `(await act(id, '${key}', 'bash_20241022', { command: ${JSON.stringify(command)} })).content[0].text`;
      const told = asOrdinaryUser(
        test,
        `const { id } = await sandboxes.create();
      const told = [${run('1', ATTACK)}, ${run('2', RIGHTS)}, ${run('3', ORPHANS)}];
      await sandboxes.delete(id);
      return told;`,
      );
      expect(told).toEqual([`${ATTEMPTS}\n${ATTEMPTS}`, '0000000000000000', '0']);
    });
  });
});
