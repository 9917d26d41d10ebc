import { setImmediate } from 'node:timers/promises';

/** What is asked of a connection here. */
interface PagedFile {
  readonly open: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): { get(): unknown };
}

/** SQLite's `auto_vacuum` mode in which a file gives free pages back on request. */
const INCREMENTAL = 2;
/** An older file is rewritten once for that, unless it is so large that the start would take long. */
const LARGEST_REWRITE_BYTES = 512 * 1024 * 1024;
/** How many pages are given back at a time: a mebibyte, which takes some milliseconds. */
const PIECE_PAGES = 256;

/**
 * Makes the file one that can shrink. A new file costs nothing; an old one stays as it is while another process uses
 * it.
 */
export function becomeShrinkable(db: PagedFile): void {
  if (numberOf(db, 'auto_vacuum') === INCREMENTAL) return;
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  const pages = numberOf(db, 'page_count');
  if (pages === 0 || pages * numberOf(db, 'page_size') > LARGEST_REWRITE_BYTES) return;
  try {
    db.exec('VACUUM');
  } catch (error) {
    if (!(error instanceof Error && /locked|busy|full/i.test(error.message))) throw error;
  }
}

/** Gives free pages back to the file system, piece by piece, until they are less than a tenth of the file. */
export async function giveBackPages(db: PagedFile): Promise<void> {
  if (numberOf(db, 'auto_vacuum') !== INCREMENTAL) return;
  let isSmaller = false;
  while (db.open && numberOf(db, 'freelist_count') > keptPages(db)) {
    db.exec(`PRAGMA incremental_vacuum(${PIECE_PAGES})`);
    isSmaller = true;
    await setImmediate();
  }
  // The file shrinks only once the write-ahead log is written into it.
  if (isSmaller && db.open) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** The number of free pages that stay, for the writes to come. */
const keptPages = (db: PagedFile): number => Math.max(PIECE_PAGES, numberOf(db, 'page_count') / 10);

function numberOf(
  db: PagedFile,
  pragma: 'auto_vacuum' | 'page_count' | 'page_size' | 'freelist_count',
): number {
  return Number((db.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown>)[pragma] ?? 0);
}
