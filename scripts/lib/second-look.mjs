import path from 'node:path';

/** More failed files than this are no matter of chance. */
const MAX_FILES = 3;

/**
 * The test files to be run once more by themselves: those that failed beside others on a busy machine, when they are few.
 * A fault fails again; a test that then passes is unsteady, which is a fault of its own, and is told by name.
 */
export function filesToLookAtAgain(report) {
  const failed = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
  return failed.length <= MAX_FILES ? failed.map(({ name }) => name) : [];
}

/** The first report with the results of the second run in the place of those files' own. */
export function withSecondLook(first, second) {
  const again = new Set(second.testResults.map(({ name }) => name));
  const testResults = [...first.testResults.filter(({ name }) => !again.has(name)), ...second.testResults];
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  return {
    testResults,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    // A file that could not be run has failed without a test that did.
    numRuntimeErrorTestSuites: testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
    ).length,
  };
}

/** What failed the first time and passed the second, a line each. */
export function unsteady(first, second, root) {
  const failed = (report) =>
    new Set(
      report.testResults.flatMap(({ name, status, assertionResults }) => {
        const file = path.relative(root, name);
        const tests = assertionResults.filter((test) => test.status === 'failed');
        if (tests.length > 0) return tests.map(({ fullName }) => `${file} › ${fullName}`);
        return status === 'failed' ? [`${file} (could not be run)`] : [];
      }),
    );
  const still = failed(second);
  return [...failed(first)].filter((name) => !still.has(name));
}
