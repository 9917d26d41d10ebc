import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { replayHistories } from '../support/replay-histories.ts';

const FOLDER = path.join(__dirname, 'histories');

/** Histories of sessions that version 0.1 ran, before runs recorded their machine. */
test('the sessions that an earlier version has begun replay', async () => {
  const workflowBundle = { code: readFileSync('dist/workflow-bundle.js', 'utf8') };
  const histories = readdirSync(FOLDER).map((file) => ({
    workflowId: `session/${file}`,
    history: historyFromJSON(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'))),
  }));
  expect(histories.length).toBeGreaterThan(0);
  expect(await replayHistories(workflowBundle, histories)).toBe(histories.length);
});
