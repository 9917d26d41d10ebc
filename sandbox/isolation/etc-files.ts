import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AGENT_HOME, AGENT_UID } from './backend.ts';
import { writePublicFolder } from '../public-folder.ts';

export const HOSTNAME = 'computer';

/**
 * Writes generated files for /etc inside, by name: one user, no network in which names could be looked up, a machine id
 * of the sandbox's own. Returns the paths that were written.
 */
export function writeEtcFiles(folder: string): readonly string[] {
  const files: Record<string, string> = {
    passwd:
      `root:x:0:0:root:/root:/usr/sbin/nologin\n` +
      `agent:x:${AGENT_UID}:${AGENT_UID}:agent:${AGENT_HOME}:/bin/bash\n` +
      `nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
    group: `root:x:0:\nagent:x:${AGENT_UID}:\nnogroup:x:65534:\n`,
    hosts: `127.0.0.1 localhost ${HOSTNAME}\n::1 localhost\n`,
    hostname: `${HOSTNAME}\n`,
    'resolv.conf': '# no network\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
    'machine-id': `${randomBytes(16).toString('hex')}\n`,
  };
  writePublicFolder(
    folder,
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, { text }])),
  );
  return [...Object.keys(files).map((name) => join(folder, name)), folder];
}

export const ETC_FILES = [
  'passwd',
  'group',
  'hosts',
  'hostname',
  'resolv.conf',
  'nsswitch.conf',
  'machine-id',
];
