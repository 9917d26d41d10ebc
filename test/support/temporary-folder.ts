import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that goes, with all that is in it, after the tests of the file or `describe` that this is called in. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steadyhand-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same, with a folder of its own for every single test; what comes back tells the one of the running test. */
export function folderForEach(): () => string {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'steadyhand-test-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}
