import { startEmbeddedEngine } from '../../../engine/embedded/start-embedded-engine.ts';
import { quietLogger, startTestEngine } from './support/engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();

test('a start tells how many runs go on: those with a task to deliver and those with a deadline', async () => {
  const dbPath = `${folder}/engine.db`;
  const first = await startTestEngine({ dbPath });
  const start = (workflowId: string, options = {}): Promise<unknown> =>
    first.client.workflow.start('nobodys', { taskQueue: 'nobodys', workflowId, ...options });
  await start('waits-for-a-worker');
  await start('begins-later', { startDelay: '1 hour' });
  await start('is-over');
  await first.client.workflow.getHandle('is-over').terminate();
  await first.close();

  const told: unknown[] = [];
  const logger = { ...quietLogger, info: (details: object) => void told.push(details) };
  const second = await startEmbeddedEngine({ dbPath, port: 0, fallbackToFreePort: false, logger });
  await second.stop();
  expect(told).toContainEqual(expect.objectContaining({ resumed: 2 }));
});
