import fs from 'node:fs';
import path from 'node:path';

/**
 * The text of a page of docs/ that is made from a table, to be held against what the table says now.
 * `UPDATE_PAGES=1 npx jest <test>` writes the page anew.
 */
export function pageOnDisk(name: string, fromTable: string): string {
  const file = path.resolve(__dirname, '..', name);
  if (process.env['UPDATE_PAGES'] === '1') fs.writeFileSync(file, fromTable);
  return fs.readFileSync(file, 'utf8');
}
