import path from 'node:path';
import { configOfSandbox } from '@steadyhand/sandbox/client';
import {
  type JsonObject,
  type MovedStore,
  moveStore,
  openDiskObjects,
  openS3Objects,
} from '@steadyhand/store';
import { type Config, readMoveTarget } from '../config/config.ts';
import { takeDataDir } from '../data-dir.ts';
import type { Command } from './command-line.ts';
import { exportEngineHistories } from './export-histories.ts';
import { progressLines } from './progress.ts';
import { requireStore } from './require-store.ts';

const LOST = 'it stayed on the machine that the installation was moved from';

/**
 * Copies the installation of a data folder into a PostgreSQL database and an object store, and answers what to print. The folder
 * is locked meanwhile, and nothing in it changes.
 */
export async function move(config: Config, env: NodeJS.ProcessEnv, { options }: Command): Promise<string> {
  const { dataDir } = config;
  const target = readMoveTarget(env, options);
  requireStore(config, 'move');
  const taken = takeDataDir(dataDir, 'all');
  const objects =
    target.blobs === undefined
      ? await openDiskObjects({ dir: path.join(dataDir, 'store', 'bytes') })
      : openS3Objects(target.blobs);
  const sourceObjects = config.blobs === undefined ? undefined : openS3Objects(config.blobs);
  try {
    const exported = await histories(config, options['histories']);
    const moved = await moveStore({
      dir: path.join(dataDir, 'store'),
      to: target.store,
      objects,
      sourceObjects,
      lostComputer: (id) => ({
        // In a pool it is looked for among the pool's sandboxes.
        config: {
          ...configOfSandbox(path.join(dataDir, 'sandboxes'), id),
          isolation: 'remote',
        } as unknown as JsonObject,
        reason: LOST,
      }),
      progress: progressLines(),
    });
    return [...summary(moved, objects.place, dataDir), ...exported].join('\n');
  } finally {
    objects.close();
    sourceObjects?.close();
    taken.release();
  }
}

async function histories({ dataDir, engine }: Config, given: string | undefined): Promise<readonly string[]> {
  if (given === undefined) return [];
  const into = path.resolve(given);
  const engineDir = path.join(dataDir, 'engine');
  const { namespace } = engine;
  const written = await exportEngineHistories({ engineDir, namespace, into, report: console.error });
  return [`Histories of the embedded engine in ${into}: ${written} files`];
}

function summary(
  { installation, rows, bytes, damagedSessions, lostComputers, hasSecrets }: MovedStore,
  place: string,
  dataDir: string,
): readonly string[] {
  const counts = ['sessions', 'events', 'effects', 'agents', 'environments', 'files', 'batches'];
  const key = path.join(dataDir, 'secrets.key');
  return [
    `Moved the installation ${installation}: ${counts.map((name) => `${rows[name] ?? 0} ${name}`).join(', ')}`,
    `Bytes in ${place}: ${bytes.objects} objects, ${bytes.bytes} bytes, each read back and held against its hash`,
    ...(bytes.damaged.length === 0
      ? []
      : [`Missing or damaged before the move, and left out: ${bytes.damaged.join(', ')}`]),
    ...(damagedSessions.length === 0
      ? []
      : [`Event logs that were damaged before the move, copied as they are: ${damagedSessions.join(', ')}`]),
    ...(lostComputers === 0
      ? []
      : [`Computers of sessions that stay here and count as lost: ${lostComputers}`]),
    ...(hasSecrets
      ? [
          `Secrets of sessions stay sealed: every process needs the key, SECRETS_KEY_FILE=<a copy of ${key}>, or SECRETS_KEY`,
        ]
      : []),
    `${dataDir} is as it was. Do not start on it again beside the new place`,
  ];
}
