import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { APT_KEYS, DPKG_STATUS } from '../packages/package-manager-files.ts';

/**
 * The parts of the host that are seen inside: programs, libraries and the parts of /etc without which they misbehave.
 * Nothing here may hold secrets. /etc is listed by name because the rest of it does (keys, tokens in tools' global
 * configurations, users).
 */
const ROOT_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

const ETC = [
  'ImageMagick-6',
  'ImageMagick-7',
  'X11',
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'ca-certificates.conf',
  'chromium',
  'chromium.d',
  'crypto-policies',
  'dconf',
  'debian_version',
  'fonts',
  'gtk-2.0',
  'gtk-3.0',
  'gtk-4.0',
  'inputrc',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'libreoffice',
  'locale.alias',
  'locale.conf',
  'localtime',
  'magic',
  'magic.mime',
  'mime.types',
  'os-release',
  'perl',
  'pki/ca-trust',
  'pki/tls/certs',
  'profile',
  'protocols',
  'pulse',
  'rpc',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'terminfo',
  'timezone',
  'vim',
  'xdg',
];

/** Folders that only contain others of these; bubblewrap creates undeclared ones for root alone. */
export const SYSTEM_PARENTS = [
  '/etc',
  '/etc/apt',
  '/etc/pki',
  '/etc/pki/tls',
  '/etc/ssl',
  '/var',
  '/var/cache',
  '/var/lib',
  '/var/lib/dpkg',
];

/** bubblewrap's arguments for the system's folders, read-only; `usr` is mounted as /usr. */
export function systemArguments(usr: string): string[] {
  const args = ['--ro-bind', usr, '/usr'];
  for (const folder of ROOT_FOLDERS) {
    const entry = lstatOrNull(folder);
    if (entry?.isSymbolicLink()) args.push('--symlink', readlinkSync(folder), folder);
    else if (entry?.isDirectory()) args.push('--ro-bind', folder, folder);
  }
  // Some names have a version: python3.11, java-17-openjdk.
  const versioned = readdirSync('/etc').filter((name) => /^(python|java)[\d.-]/.test(name));
  for (const name of [...ETC, ...versioned]) args.push('--ro-bind-try', `/etc/${name}`, `/etc/${name}`);
  for (const path of ['/var/cache/fontconfig', DPKG_STATUS, ...APT_KEYS])
    args.push('--ro-bind-try', path, path);
  return args;
}

function lstatOrNull(path: string): ReturnType<typeof lstatSync> | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
