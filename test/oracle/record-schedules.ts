/**
 * Records what the real server makes of the specs of `test/engine/schedules/specs.ts`: the times at which they act, the
 * form in which it keeps them, and its texts for those that it refuses.
 *
 *   temporal server start-dev --headless --port 7299 &
 *   npx esbuild test/oracle/record-schedules.ts --bundle --platform=node --format=esm --packages=external \
 *     --outfile=.tmp/record-schedules.mjs && node .tmp/record-schedules.mjs 127.0.0.1:7299
 *
 * Writes test/oracle/schedules.json.
 */
import { writeFile } from 'node:fs/promises';
import { Connection } from '@temporalio/client';
import { type SpecCase, specCases, toSpec, toTimestamp, wrongSpecs } from '../engine/schedules/specs.ts';

const connection = await Connection.connect({ address: process.argv[2] ?? '127.0.0.1:7299' });
const service = connection.workflowService;
const namespace = 'default';
const { namespaceInfo } = await service.describeNamespace({ namespace });
const seconds = (time: { seconds?: { toString(): string } | null; nanos?: number | null }): number =>
  Number(time.seconds?.toString() ?? 0) + Math.round((time.nanos ?? 0) / 1e6) / 1000;

const create = async ({ spec }: SpecCase, scheduleId: string): Promise<void> => {
  await service.createSchedule({
    namespace,
    scheduleId,
    requestId: `${scheduleId}-${Date.now()}`,
    schedule: {
      spec: toSpec(spec),
      state: { paused: true },
      action: { startWorkflow: { workflowId: 'w', workflowType: { name: 't' }, taskQueue: { name: 'q' } } },
    },
  });
};

const times: Record<string, unknown> = {};
for (const [index, given] of specCases.entries()) {
  const scheduleId = `spec-${index}`;
  await create(given, scheduleId);
  const { startTime } = await service.listScheduleMatchingTimes({
    namespace,
    scheduleId,
    startTime: toTimestamp(given.from) as never,
    endTime: toTimestamp(given.to) as never,
  });
  const { schedule } = await service.describeSchedule({ namespace, scheduleId });
  times[given.name] = { scheduleId, canonical: schedule?.spec, times: startTime.map(seconds) };
  await service.deleteSchedule({ namespace, scheduleId });
}
const errors: Record<string, string> = {};
for (const [index, given] of wrongSpecs.entries()) {
  try {
    await create(given, `wrong-${index}-${Date.now()}`);
    errors[given.name] = '';
  } catch (error) {
    errors[given.name] = (error as { details: string }).details;
  }
}
const golden = { namespaceId: namespaceInfo?.id, times, errors };
await writeFile('test/oracle/schedules.json', `${JSON.stringify(golden)}\n`);
await connection.close();
