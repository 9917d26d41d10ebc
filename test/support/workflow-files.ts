import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** The workflows that tests run, by the files that `bundleWorkflows` is given, relative to the repository. */
export const WORKFLOW_FILES = [
  'examples/approval/workflows.ts',
  'examples/fan-out/workflows.ts',
  'examples/order-saga/workflows.ts',
  'examples/polling/workflows.ts',
  'examples/traffic-light/workflows.ts',
  'test/engine/cli/workflows/index.ts',
  'test/engine/embedded/workflows/index.ts',
  'test/server/workflows/workflows.ts',
  'test/statechart/behaviour/workflows.ts',
  'test/statechart/changing-machines.ts',
  'test/statechart/client/machines.ts',
  'test/statechart/machines.ts',
  'test/statechart/scxml/workflows.ts',
  'test/statechart/seeing/approval-v1.ts',
  'test/statechart/seeing/approval-v2.ts',
  'test/statechart/seeing/approval-v3.ts',
  'test/statechart/seeing/machines.ts',
  'test/statechart/testing/machines.ts',
  'test/web/statechart/workflows.ts',
  'workflows/index.ts',
] as const;
