import path from 'node:path';
import { copyEngine } from '@steadyhand/engine';
import { configOfSandbox } from '@steadyhand/sandbox/client';
import { backUpStore, TransferRefusedError, writeWholeFile } from '@steadyhand/store';
import type { Config } from '../config/config.ts';
import { backupLayout, backupText, namesIn } from './backup-folder.ts';
import type { Command } from './command-line.ts';
import { progressLines } from './progress.ts';
import { requireStore } from './require-store.ts';

/**
 * Copies a data folder while the product works with it, and answers what to print.
 *
 * The engine comes first: a workflow that is set back is told where its session's log ends, and what it forgot is found by
 * its key, while one that is ahead of its log would wait for what nobody knows.
 */
export async function backup(config: Config, version: string, { folder: given }: Command): Promise<string> {
  requireStore(config, 'backup');
  const { dataDir } = config;
  const folder = path.resolve(given);
  const layout = backupLayout(folder);
  if ((await namesIn(folder)).length > 0)
    throw new TransferRefusedError(`${folder} is not empty: a backup needs a folder of its own`);
  const hasEngine = await copyEngine(path.join(dataDir, 'engine'), layout.engine);
  const hasBytes = config.blobs === undefined;
  const dir = path.join(dataDir, 'store');
  const copy = await backUpStore({ dir, into: layout.store, hasBytes, progress: progressLines() });
  const { installation, sessions, events, objects, damaged, computers, hasSecrets } = copy;
  const sandboxes = path.join(dataDir, 'sandboxes');
  await writeWholeFile(
    layout.last,
    backupText({
      version,
      made_at: new Date().toISOString(),
      installation,
      sessions,
      events,
      objects,
      has_bytes: hasBytes,
      has_engine: hasEngine,
      has_secrets: hasSecrets,
      computers: computers.map((id) => configOfSandbox(sandboxes, id)),
    }),
  );
  return [
    `Backup in ${folder}: ${sessions} sessions, ${events} events, ${objects} objects${hasEngine ? ', the engine' : ''}`,
    ...(hasBytes
      ? []
      : ['The bytes of pictures and files are in BLOBS and not in it: copy the bucket after this']),
    ...(hasEngine ? [] : ['There is no embedded engine in DATA_DIR: Temporal has backups of its own']),
    ...(damaged.length === 0 ? [] : [`Missing or damaged in the store, and so here: ${damaged.join(', ')}`]),
    ...(hasSecrets
      ? [
          `Keys are not in it: keep a copy of ${path.join(dataDir, 'secrets.key')}, or of SECRETS_KEY, at another place`,
        ]
      : []),
  ].join('\n');
}
