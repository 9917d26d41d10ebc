/** Tests mirror the source folders and run from TypeScript; swc only strips the types. */
export default {
  testEnvironment: '<rootDir>/scripts/lib/jest-environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['@steadyhand/source', 'node', 'node-addons'] },
  runtime: '<rootDir>/scripts/lib/jest-runtime.cjs',
  globalSetup: '<rootDir>/test/support/all-workflows.ts',
  testSequencer: '<rootDir>/scripts/lib/jest-sequencer.mjs',
  // Beside the packages, as the folder for temporary files may be gone after the run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts', '**/*.test.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  extensionsToTreatAsEsm: [],
  // A large process takes long to fork, and tests start many others: a worker that keeps much is replaced by a new one.
  workerIdleMemoryLimit: '600MB',
  // Ends what hangs; how long something takes is no test's subject, and a loaded machine may be slow.
  testTimeout: 120_000,
};
