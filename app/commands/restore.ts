import { cp, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { recordLeftBehind } from '@steadyhand/sandbox/client';
import { openStore, TransferRefusedError, writeWholeFile } from '@steadyhand/store';
import type { Config } from '../config/config.ts';
import { LOST, readSecretsKey } from '../config/secrets-key.ts';
import { RESTORING, takeDataDir } from '../data-dir.ts';
import { isKeyOf } from '../secrets-key.ts';
import { backupLayout, namesIn, readBackup } from './backup-folder.ts';
import type { Command } from './command-line.ts';

const REASON = 'it is not in the backup that was restored';
/** What an empty data folder may hold: locks, and what file systems put into their uppermost folder. */
const NOTHING = /^(?:(?:all|server|worker)\.lock(?:-journal|-wal|-shm)?|lost\+found)$/;

/**
 * Makes a data folder of a backup and answers what to print. The parts are made in a folder below and get their names at the
 * end; until then a start on the folder is refused, and the same call begins anew.
 */
export async function restore(config: Config, { folder: given, options }: Command): Promise<string> {
  const { dataDir } = config;
  if (config.store !== undefined)
    throw new TransferRefusedError(
      'restore is for a store in DATA_DIR: STORE names a database, so use its own tools',
    );
  const folder = path.resolve(given);
  const content = await readBackup(folder);
  const names = await namesIn(dataDir);
  const isRepeated = names.includes(RESTORING);
  const taken = isRepeated ? undefined : names.find((name) => !NOTHING.test(name));
  if (taken !== undefined)
    throw new TransferRefusedError(
      `DATA_DIR=${dataDir} is not empty, it has ${taken}: a backup is restored into an empty folder`,
    );
  const locked = takeDataDir(dataDir, 'all', { restoring: true });
  try {
    const drafts = path.join(dataDir, RESTORING);
    const parts = ['sandboxes', 'engine', 'store'];
    for (const name of [RESTORING, ...(isRepeated ? parts : [])])
      await rm(path.join(dataDir, name), { recursive: true, force: true });
    await mkdir(drafts, { mode: 0o700 });
    const layout = backupLayout(folder);
    const made = (name: string): string => path.join(drafts, name);
    if (content.has_engine) await copied(layout.engine, made('engine'), 'engine.db');
    await copied(layout.store, made('store'), 'store.db');
    const key = await secretsKeyFor(made('store'), config, content.has_secrets, options['secrets-key']);
    for (const config of content.computers) await recordLeftBehind(made('sandboxes'), config, REASON);
    if (key !== undefined) await writeWholeFile(path.join(dataDir, 'secrets.key'), key);
    for (const name of parts) {
      if ((await namesIn(drafts)).includes(name)) await rename(made(name), path.join(dataDir, name));
    }
    await rm(drafts, { recursive: true });
  } finally {
    locked.release();
  }
  const { sessions, events, objects, made_at, has_bytes, computers } = content;
  return [
    `Restored into ${dataDir}: ${sessions} sessions, ${events} events, ${objects} objects, as of ${made_at}`,
    ...(has_bytes ? [] : ['The bytes of pictures and files have to be in BLOBS, as it was or later']),
    ...(computers.length === 0 ? [] : [`Computers of sessions that count as lost: ${computers.length}`]),
  ].join('\n');
}

/** Copies a folder; its database is on the disk then. Bytes are held against their hashes whenever they are read. */
async function copied(from: string, to: string, database: string): Promise<void> {
  await cp(from, to, { recursive: true });
  const file = await open(path.join(to, database), 'r+');
  await file.sync();
  await file.close();
}

/** The key that the data folder gets. The check comes before anything is put in its place. */
async function secretsKeyFor(
  dir: string,
  { secretsKey }: Config,
  isNeeded: boolean,
  named: string | undefined,
): Promise<Uint8Array | undefined> {
  const configured = secretsKey.key !== undefined || secretsKey.file !== undefined;
  if (named === LOST || (named === undefined && (configured || !isNeeded))) return undefined;
  if (named === undefined)
    throw new TransferRefusedError(
      'the backup has secrets of sessions and no key: --secrets-key=<file>, the secrets.key of its DATA_DIR, or SECRETS_KEY; ' +
        '--secrets-key=lost gives the secrets up',
    );
  const key = readSecretsKey(await readFile(named));
  if (key === undefined)
    throw new TransferRefusedError(`${named} holds no key: 32 bytes, or their hexadecimal digits or base64`);
  const bytes = Buffer.from(key, 'hex');
  const store = await openStore({ dir });
  try {
    if (!(await isKeyOf(store, bytes)))
      throw new TransferRefusedError(
        `${named} is not the key that the secrets in the backup were sealed with`,
      );
  } finally {
    await store.close();
  }
  return bytes;
}
