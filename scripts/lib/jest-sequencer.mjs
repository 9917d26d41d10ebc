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
  'engine/embedded/recovery',
  'sandbox/ledger/faults',
  'inference/ocr/frames',
  'e2e/crash',
  'inference/ocr/screens',
  'server/docs-pages',
  'engine/conformance/conformance',
  'e2e/session',
  'e2e/script-screen',
  'engine/embedded/load',
  'web/pages',
  'e2e/provider',
  'e2e/batches',
  'e2e/roles',
  'e2e/starts',
  'sandbox/isolation/limits',
  'inference/preprocess/as-opencv',
  'e2e/takeover',
  'sandbox/daemon/at-most-once',
  'server/inference/hostile',
  'batches/working',
  'e2e/replay',
  'sandbox/oracle/editor',
  'sandbox/ledger/schedules',
  'sandbox/computer/generations',
  'sandbox/oracle/bash',
  'sandbox/isolation/attacks',
  'inference/images/bombs',
  'engine/embedded/workflow-tasks',
  'engine/embedded/lifecycle',
].map((name) => path.join(root, 'test', `${name}.test.ts`));

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path: file }) => (LONG.includes(file) ? LONG.indexOf(file) : LONG.length);
    return super.sort(tests).toSorted((a, b) => place(a) - place(b));
  }
}
