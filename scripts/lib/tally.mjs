import fs from 'node:fs';

/**
 * Adds up a test run: the static checks, the build and jest's own report (`--json`). A test file that could not be
 * run counts as one failure, and so does a jest that ended without a report or badly with nothing failed in it.
 * @returns {{passed: number, failed: number, skipped: number}}
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

/** The line that ends every test run and that CI counts. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Jest's report, or `undefined` when it wrote none. */
export function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
