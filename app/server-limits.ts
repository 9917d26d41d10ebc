import type { ServerLimit } from '@steadyhand/server';
import type { Config } from './config/config.ts';

/** The limits that the configuration sets for every client, as `/v1/key` tells them. */
export function serverLimits({ inference, batchConcurrency, sandbox }: Config): readonly ServerLimit[] {
  const { memory_mib, disk_mib, processes, files, cpus } = sandbox.limits;
  return [
    { name: 'Pixels of an image', setting: 'PIXEL_LIMIT', value: inference.pixelLimit, unit: 'pixels' },
    {
      name: 'Image models that run at a time',
      setting: 'INFERENCE_CONCURRENCY',
      value: inference.concurrency ?? null,
      unit: 'count',
    },
    { name: 'Image requests that wait', setting: 'INFERENCE_QUEUE', value: inference.queue, unit: 'count' },
    {
      name: 'Time for an image request',
      setting: 'INFERENCE_TIMEOUT_MS',
      value: inference.timeoutMs,
      unit: 'ms',
    },
    {
      name: 'Batch requests at a time',
      setting: 'BATCH_CONCURRENCY',
      value: batchConcurrency,
      unit: 'count',
    },
    { name: 'Memory of a sandbox', setting: 'SANDBOX_MEMORY_MIB', value: memory_mib, unit: 'mib' },
    { name: 'Disk of a sandbox', setting: 'SANDBOX_DISK_MIB', value: disk_mib, unit: 'mib' },
    { name: 'Files of a sandbox', setting: 'SANDBOX_FILES', value: files, unit: 'count' },
    { name: 'Processes of a sandbox', setting: 'SANDBOX_PROCESSES', value: processes, unit: 'count' },
    { name: 'Cores of a sandbox', setting: 'SANDBOX_CPUS', value: cpus, unit: 'count' },
  ];
}
