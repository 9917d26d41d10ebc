/** Numbers of system calls on x86-64 and on arm64; null where the architecture has none. */
type Numbers = readonly [x64: number | null, arm64: number | null];

/**
 * Calls that a desktop's programs do not need and that have been ways out of sandboxes, or that change the whole
 * machine.
 */
export const REFUSED: Readonly<Record<string, Numbers>> = {
  // File systems and roots must stay as they were set up.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  // These load code into the kernel.
  bpf: [321, 280],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  // Keyrings are not in any namespace.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // These are often part of an attack on the kernel.
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  lookup_dcookie: [212, 18],
  modify_ldt: [154, null],
  uselib: [134, null],
  // These concern the machine's clock, name, log and ports.
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  reboot: [169, 142],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
};

/** Calls that are answered as by a kernel without them: programs then use older calls. */
export const ABSENT: Readonly<Record<string, Numbers>> = {
  // The flags of clone3 are in memory, where a filter cannot see them.
  clone3: [435, 435],
  // The kernel performs this work itself, past the filter.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  quotactl_fd: [443, 443],
  open_tree_attr: [467, 467],
};

/** Calls that are refused depending on their arguments. */
export const EXAMINED = {
  clone: [56, 220],
  unshare: [272, 97],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  setsockopt: [54, 208],
} as const satisfies Readonly<Record<string, Numbers>>;
