import { rmSync } from 'node:fs';
import { SandboxError } from '@steadyhand/contracts';
import { layoutOf } from '../layout.ts';
import { DamagedFileError, isRecordOf, isText, readRecord } from '../record-file.ts';
import { writeWhole } from '../whole-file.ts';

/**
 * A note in a sandbox's folder that its last start found it damaged, so that whoever lists sandboxes sees it without starting
 * them. Every start is tried all the same: what was damaged may have been put right.
 */
export async function noteDamage(folder: string, reason: string): Promise<void> {
  await writeWhole(layoutOf(folder).damaged, JSON.stringify({ reason })).catch(() => undefined);
}

export function forgetDamage(folder: string): void {
  rmSync(layoutOf(folder).damaged, { force: true });
}

/** Why the last start failed; null when it did not fail by damage. */
export function damageOf(folder: string): string | null {
  try {
    return readRecord(layoutOf(folder).damaged, isNote)?.reason ?? null;
  } catch (error) {
    if (error instanceof DamagedFileError) return error.message;
    throw error;
  }
}

function isNote(value: unknown): value is { readonly reason: string } {
  return isRecordOf(value, { reason: isText });
}

/** What is thrown of a damaged file becomes the sandbox's own error. */
export function asDamage(id: string, error: unknown): unknown {
  return error instanceof DamagedFileError
    ? new SandboxError('damaged', error.message, { sandbox: id, cause: error })
    : error;
}
