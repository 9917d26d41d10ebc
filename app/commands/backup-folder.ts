import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxConfig } from '@steadyhand/sandbox/client';
import { TransferRefusedError } from '@steadyhand/store';
import { z } from 'zod';

/** The file that a backup ends with: a folder without it is none. */
const LAST = 'backup.json';
const FORMAT = 1;

const CONTENT = z.object({
  format: z.literal(FORMAT),
  /** The product's version. */
  version: z.string(),
  made_at: z.string(),
  installation: z.string(),
  sessions: z.number(),
  events: z.number(),
  objects: z.number(),
  /** Whether the bytes of pictures and files are in it; where they are in an object store, they are not. */
  has_bytes: z.boolean(),
  has_engine: z.boolean(),
  /** Whether sessions have secrets, which need the key that is not in it. */
  has_secrets: z.boolean(),
  /** What the computers of sessions were made with. They themselves are not in it. */
  computers: z.array(z.looseObject({ id: z.string() })),
});

export type BackupContent = Omit<z.infer<typeof CONTENT>, 'computers'> & {
  readonly computers: readonly SandboxConfig[];
};

/** Where the parts of a backup are. They are named as in a data folder. */
export function backupLayout(folder: string): Readonly<Record<'store' | 'engine' | 'last', string>> {
  const below = (name: string): string => path.join(folder, name);
  return { store: below('store'), engine: below('engine'), last: below(LAST) };
}

export function backupText(content: Omit<BackupContent, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...content }, null, 2)}\n`;
}

/** @throws {TransferRefusedError} for a folder that holds no whole backup, or one of another format */
export async function readBackup(folder: string): Promise<BackupContent> {
  const { last } = backupLayout(folder);
  const text = await readFile(last, 'utf8').catch((error: unknown) => {
    throw new TransferRefusedError(
      `${folder} holds no backup, or one that was not finished: there is no ${LAST}`,
      {
        cause: error,
      },
    );
  });
  const read = CONTENT.safeParse(JSON.parse(text));
  if (!read.success)
    throw new TransferRefusedError(`${last} is not of this version: ${read.error.issues[0]?.message ?? ''}`);
  return read.data as unknown as BackupContent;
}

/** The names in a folder; none where it is missing. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
}
