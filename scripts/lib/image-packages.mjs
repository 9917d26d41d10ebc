import { SYSTEM_PACKAGES } from './system-packages.mjs';

/** Prints the Debian packages of the sandbox's image: those of a desktop, without bubblewrap, which a host alone needs. */
const EXTRA = ['tini', 'ca-certificates', 'curl', 'git', 'python3', 'procps', 'less'];

process.stdout.write(
  [...SYSTEM_PACKAGES.map(({ name }) => name).filter((name) => name !== 'bubblewrap'), ...EXTRA].join(' '),
);
