import { layoutOf } from '../layout.ts';
import { isRecordOf, isText, readRecord } from '../record-file.ts';
import { writeWhole } from '../whole-file.ts';

/** Why a sandbox's computer was given up; null for one that is not lost. Throws DamagedFileError. */
export function lostReason(folder: string): string | null {
  return readRecord(layoutOf(folder).lost, isNote)?.reason ?? null;
}

/** Gives a sandbox's computer up. */
export async function noteLost(folder: string, reason: string): Promise<void> {
  await writeWhole(layoutOf(folder).lost, JSON.stringify({ reason }));
}

function isNote(value: unknown): value is { readonly reason: string } {
  return isRecordOf(value, { reason: isText });
}
