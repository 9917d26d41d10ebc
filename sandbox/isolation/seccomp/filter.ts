import { ABSENT, EXAMINED, REFUSED } from './calls.ts';

/** One instruction of classic BPF, as `struct sock_filter`. Jumps count the instructions that are skipped. */
export interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const step = (code: number, k: number, jt = 0, jf = 0): Instruction => ({ code, jt, jf, k });

/**
 * Loads 32 bits of `struct seccomp_data`: the call's number is at 0, the architecture at 4, argument n's lower half at
 * 16 + 8n.
 */
const load = (offset: number): Instruction => step(0x20, offset);
const ret = (value: number): Instruction => step(0x06, value);
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;

/** Runs the block when the loaded value passes the test, else skips it. A block has at most 255 instructions. */
const when =
  (code: number) =>
  (value: number, block: readonly Instruction[]): readonly Instruction[] => {
    if (block.length > 255)
      throw new RangeError(`a block of ${block.length} instructions is too long to jump over`);
    return [step(code, value, 0, block.length), ...block];
  };

const whenEqual = when(EQUAL);
const whenAtLeast = when(AT_LEAST);
/** Runs the block when any of the bits is set. */
const whenAnyBit = when(ANY_BIT);
/** Runs the block unless the loaded value is one of the values. */
function unlessOneOf(values: readonly number[], block: readonly Instruction[]): readonly Instruction[] {
  return [
    // A jump goes past the remaining tests and the block.
    ...values.map((value, index) => step(EQUAL, value, values.length - 1 - index + block.length, 0)),
    ...block,
  ];
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}

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
