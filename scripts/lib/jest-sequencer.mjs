/**
 * The order of the test files: the long ones first, so that the workers end together. Jest knows how long a file takes from
 * its cache alone; without one it goes by the size of the file, by which a few lines that start the product come last.
 */
import path from 'node:path';
import DefaultSequencer from '@jest/test-sequencer';
import { root } from './root.mjs';

const Sequencer = DefaultSequencer.default ?? DefaultSequencer;

/** The files below test/ that take more than about twelve seconds on two cores, four at a time, the longest first. */
export const LONG = [
  'statechart/behaviour/behaviour',
  'e2e/demos',
  'web/session-page',
  'web/agents-page',
  'web/pictures',
  'inference/ocr/frames',
  'web/statechart/statechart-page',
  'e2e/crash',
  'packages/packed',
  'e2e/lost-engine',
  'inference/ocr/screens',
  'e2e/script-screen',
  'sandbox/isolation/limits',
  'e2e/session',
  'engine/embedded/recovery',
  'engine/embedded/behaviour',
  'engine/conformance/conformance',
  'engine/embedded/load',
  'server/docs-pages',
  'batches/working',
  'web/pages',
  'web/accessibility',
  'web/shell',
  'web/parts',
  'web/workflows-page',
  'web/operations-pages',
  'web/sandboxes-page',
  'web/batches-page',
  'statechart/testing/paths',
  'engine/embedded/crash/crash',
  'e2e/batches',
  'app/stuck-model',
  'e2e/bad-files',
  'sandbox/ledger/faults',
  'server/inference/hostile',
  'server/workflows/without-worker',
  'e2e/takeover',
  'e2e/deletion',
  'e2e/provider',
  'sandbox/oracle/bash',
  'sandbox/oracle/editor',
  'engine/embedded/retention',
  'sandbox/computer/computer-tool',
  'inference/preprocess/as-opencv',
  'sandbox/daemon/at-most-once',
  'sandbox/bash/stopping',
  'server/openapi',
  'e2e/starts',
  'inference/registry/hot-reload',
  'e2e/replay',
  'sandbox/client/trouble',
  'inference/runtime/crash',
  'e2e/damaged-sandbox',
  'sandbox/client/life',
  'inference/runtime/queue',
  'web/inference-page',
  'statechart/seeing/explain-history',
  'examples/mains',
  'statechart/scxml/scxml',
  'statechart/client/subscribe',
  'statechart/testing/scenario',
  'statechart/seeing/changed-machines',
  'statechart/change',
  'workflows/recorded-sessions',
  'statechart/lowest-xstate',
  'statechart/machine-workflow',
  'e2e/secrets',
  'sandbox/conformance/conformance',
  'sandbox/isolation/attacks',
  'e2e/session-files',
  'engine/embedded/activities',
  'e2e/agent-toolset',
  'sandbox/computer/generations',
  'engine/embedded/workflow-tasks',
  'e2e/policy',
  'e2e/roles',
  'store/blob-collection',
  'inference/images/memory',
  'sandbox/ledger/schedules',
  'inference/images/bombs',
  'engine/embedded/lifecycle',
  'server/message-stream',
  'server/batches',
].map((name) => path.join(root, 'test', `${name}.test.ts`));

/** @typedef {import('@jest/test-result').Test} Test */

/** @param {Test} test */
function place({ path: file }) {
  return LONG.includes(file) ? LONG.indexOf(file) : LONG.length;
}

export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Test[]} tests
   */
  async sort(tests) {
    return (await super.sort(tests)).toSorted((a, b) => place(a) - place(b));
  }

  /**
   * Deals the files to the shards in turn, the long ones first, so that all shards take about as long.
   * @override
   * @param {Test[]} tests
   * @param {{ shardIndex: number, shardCount: number }} shard counted from 1
   */
  shard(tests, { shardIndex, shardCount }) {
    return tests
      .toSorted((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1))
      .filter((_, index) => index % shardCount === shardIndex - 1);
  }
}
