/**
 * The order of the test files: the long ones first, so that the workers end together. Jest knows how long a file takes from
 * its cache alone; without one it goes by the size of the file, by which a few lines that start the product come last.
 */
import path from 'node:path';
import DefaultSequencer from '@jest/test-sequencer';
import { root } from './root.mjs';

const Sequencer = DefaultSequencer.default ?? DefaultSequencer;

/** Below test/, those of more than about twelve seconds on two cores, the longest first. */
export const LONG = [
  'e2e/full-disk',
  'engine/embedded/recovery',
  'e2e/bad-files',
  'sandbox/ledger/schedules',
  'e2e/batches',
  'store/blob-collection',
  'server/message-stream',
  'e2e/session',
  'e2e/script-screen',
  'server/docs-pages',
  'batches/working',
  'sandbox/isolation/limits',
  'app/stuck-model',
  'e2e/starts',
  'e2e/takeover',
  'inference/ocr/frames',
  'inference/runtime/queue',
  'e2e/crash',
  'engine/conformance/conformance',
  'inference/preprocess/as-opencv',
  'server/inference/hostile',
  'server/openapi',
  'workflows/statechart/machine-workflow',
  'sandbox/oracle/bash',
  'engine/embedded/workflow-tasks',
  'sandbox/daemon/at-most-once',
  'e2e/roles',
  'sandbox/bash/stopping',
  'web/pages',
  'inference/ocr/screens',
  'e2e/lost-engine',
  'sandbox/computer/computer-tool',
  'sandbox/oracle/editor',
  'e2e/provider',
  'inference/models/onnx-facts',
  'e2e/deletion',
  'e2e/replay',
  'engine/embedded/activities',
  'sandbox/client/trouble',
  'e2e/policy',
  'inference/images/bombs',
  'messages/providers/endless',
  'engine/embedded/long-polls',
  'engine/embedded/lifecycle',
  'sandbox/computer/generations',
  'server/openapi-answers',
  'web/inference-page',
  'sandbox/client/life',
  'engine/embedded/retention',
  'inference/images/decode-options',
  'sandbox/editor/bytes-kept',
  'inference/registry/hot-reload',
  'sdk/reference-loop',
].map((name) => path.join(root, 'test', `${name}.test.ts`));

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path: file }) => (LONG.includes(file) ? LONG.indexOf(file) : LONG.length);
    return super.sort(tests).toSorted((a, b) => place(a) - place(b));
  }
}
