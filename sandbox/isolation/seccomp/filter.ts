import {
  assemble,
  ret,
  type Instruction,
  load,
  unlessOneOf,
  whenAnyBit,
  whenAtLeast,
  whenEqual,
} from './bpf.ts';
import { ABSENT, EXAMINED, REFUSED } from './calls.ts';

const ALLOW = ret(0x7fff0000);
const error = (errno: number): Instruction => ret(0x00050000 | errno);
const EPERM = error(1);
const ENOSYS = error(38);
const EAFNOSUPPORT = error(97);

const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

const ARCHITECTURES = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
} as const;

/**
 * Mount, cgroup, UTS and IPC namespaces. Time namespaces are refused to `unshare` alone, because `clone` has a signal
 * in those bits.
 */
const NAMESPACES = 0x20000 | 0x02000000 | 0x04000000 | 0x08000000;
const TIME_NAMESPACE = 0x80;
/** Pushing characters into a terminal's input, and the console's own calls. */
const TERMINAL_CALLS = [0x5412, 0x541c];
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16];
/** NETLINK_ROUTE and NETLINK_KOBJECT_UEVENT, which getaddrinfo and browsers use. Netfilter and the like are refused. */
const NETLINK = [0, 15];
/** The options that set the tables of iptables and its relatives, at the levels of IP and IPv6. */
const TABLE_OPTIONS = [64, 65, 96, 97, 128, 129];

/**
 * Builds the filter of system calls for all programs inside, as bubblewrap's `--seccomp` expects it; null for an
 * architecture without one. User, process and network namespaces stay allowed, because Chromium's sandbox needs them.
 * So does tracing one's own programs, because debuggers need it.
 */
export function seccompFilter(architecture: string = process.arch): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null;
  const { column, audit } = ARCHITECTURES[architecture];
  const calls = (table: typeof REFUSED, answer: Instruction): Instruction[] =>
    Object.values(table).flatMap((numbers) => {
      const number = numbers[column];
      return number === null ? [] : whenEqual(number, [answer]);
    });
  const examined = (name: keyof typeof EXAMINED, block: readonly Instruction[]): readonly Instruction[] =>
    whenEqual(EXAMINED[name][column], [...block, ALLOW]);
  return assemble([
    load(ARCHITECTURE),
    // 32-bit programs have other call numbers.
    ...unlessOneOf([audit], [ENOSYS]),
    load(NUMBER),
    // So has x32, on the same architecture.
    ...(architecture === 'x64' ? whenAtLeast(0x40000000, [ENOSYS]) : []),
    ...calls(REFUSED, EPERM),
    ...calls(ABSENT, ENOSYS),
    ...examined('clone', [load(argument(0)), ...whenAnyBit(NAMESPACES, [EPERM])]),
    ...examined('unshare', [load(argument(0)), ...whenAnyBit(NAMESPACES | TIME_NAMESPACE, [EPERM])]),
    ...examined('ioctl', [load(argument(1)), ...TERMINAL_CALLS.flatMap((call) => whenEqual(call, [EPERM]))]),
    ...examined('socket', [
      load(argument(0)),
      ...whenEqual(AF_NETLINK, [load(argument(2)), ...unlessOneOf(NETLINK, [EAFNOSUPPORT]), ALLOW]),
      ...unlessOneOf([AF_UNIX, AF_INET, AF_INET6], [EAFNOSUPPORT]),
    ]),
    ...examined('socketpair', [load(argument(0)), ...unlessOneOf([AF_UNIX], [EAFNOSUPPORT])]),
    ...examined('setsockopt', [
      load(argument(1)),
      ...[0, 41].flatMap((level) =>
        whenEqual(level, [
          load(argument(2)),
          ...TABLE_OPTIONS.flatMap((option) => whenEqual(option, [EPERM])),
          ALLOW,
        ]),
      ),
    ]),
    ALLOW,
  ]);
}
