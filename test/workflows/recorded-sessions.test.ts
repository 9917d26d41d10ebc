import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';

const FOLDER = path.join(__dirname, 'histories');

/** Histories of sessions that version 0.1 ran, before runs recorded their machine. */
describe('a session that an earlier version has begun', () => {
  const workflowBundle = { code: readFileSync('dist/workflow-bundle.js', 'utf8') };

  test.each(readdirSync(FOLDER))('%s replays', async (file) => {
    const history = historyFromJSON(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')));
    await expect(
      Worker.runReplayHistory({ workflowBundle }, history, 'session/replayed'),
    ).resolves.toBeUndefined();
  });
});
