import fs from 'node:fs';

/**
 * The fields of jest's report (`--json`) that are added up.
 * @typedef {object} JestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 */
/** @typedef {{passed: number, failed: number, skipped: number}} Total */

/**
 * Adds up a test run: the static checks, the build and jest's own report. A test file that could not be run counts as one
 * failure. So does jest itself when it ended without a report, or with an error although no test failed.
 * @param {readonly import('./checks.mjs').CheckResult[]} results
 * @param {{ readonly code: number, readonly report: JestReport | undefined }} jest
 * @returns {Total}
 */
export function tally(results, jest) {
  const total = {
    passed: results.filter(({ passed }) => passed).length,
    failed: results.filter(({ passed }) => !passed).length,
    skipped: 0,
  };
  const report = jest.report;
  if (report === undefined) return { ...total, failed: total.failed + 1 };
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return {
    passed: total.passed + report.numPassedTests,
    failed: total.failed + (jest.code !== 0 && failed === 0 ? 1 : failed),
    skipped: total.skipped + report.numPendingTests + report.numTodoTests,
  };
}

/**
 * The last line of every test run, which CI reads.
 * @param {Total} total
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * Jest's report, or `undefined` when it wrote none.
 * @type {(file: string) => JestReport | undefined}
 */
export function readReport(file) {
  try {
    return /** @type {JestReport} */ (JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
