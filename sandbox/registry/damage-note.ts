import { rmSync, existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SandboxError } from '@steadyhand/contracts';
import { layoutOf } from '../layout.ts';
import { DamagedFileError, isRecordOf, isText, readRecord, unlessDamaged } from '../record-file.ts';
import { writeWhole, syncFolder } from '../whole-file.ts';

/**
 * Records in a sandbox's folder that its last start found damage, so that listing sandboxes shows it without starting
 * them. Every start is tried all the same, because the damage may have been repaired.
 */
export async function noteDamage(folder: string, reason: string): Promise<void> {
  await writeWhole(layoutOf(folder).damaged, JSON.stringify({ reason })).catch(() => undefined);
}

export function forgetDamage(folder: string): void {
  rmSync(layoutOf(folder).damaged, { force: true });
}

/** The damage that made the last start fail; null when there was none. */
export function damageOf(folder: string): string | null {
  return unlessDamaged(
    () => readRecord(layoutOf(folder).damaged, isNote)?.reason ?? null,
    ({ message }) => message,
  );
}

function isNote(value: unknown): value is { readonly reason: string } {
  return isRecordOf(value, { reason: isText });
}

/** Turns the error of a damaged file into the sandbox's own error. */
export function asDamage(id: string, error: unknown): unknown {
  return error instanceof DamagedFileError
    ? new SandboxError('damaged', error.message, { sandbox: id, cause: error })
    : error;
}

/**
 * Marks the action of a key as interrupted: from now on, in every process, it is not begun, and its recorded outcome is
 * returned. Each mark is an empty file in the folder of the sandbox and is removed with it.
 */
export async function markInterrupted(folder: string, key: string): Promise<void> {
  const path = markOf(folder, key);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await (await open(path, 'a', 0o600)).close();
  await syncFolder(dirname(path));
}

export function isInterrupted(folder: string, key: string): boolean {
  return existsSync(markOf(folder, key));
}

function markOf(folder: string, key: string): string {
  return join(layoutOf(folder).interrupts, createHash('sha256').update(key).digest('hex').slice(0, 32));
}
