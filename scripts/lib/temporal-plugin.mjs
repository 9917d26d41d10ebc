import fs from 'node:fs';
import { BootstrapError } from './progress.mjs';

/** Where the packages say which file the threads that run workflows begin with, and how a bundle says the same. */
const THREAD = {
  file: /\/@temporalio\/worker\/lib\/workflow\/threaded-vm\.js$/,
  from: "require.resolve('./workflow-worker-thread')",
  to: "require.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread.js')",
};

/** Finds the native library beside itself. */
const FINDS_NATIVE = '@temporalio/core-bridge/common.js';

/** The bundler of workflows brings webpack along; the product has its workflows bundled already. */
const BUNDLER = /\/@temporalio\/worker\/lib\/workflow\/bundler\.js$/;

/**
 * Lets esbuild bundle Temporal's packages for Node. They and theirs are six hundred files, whose opening took a seventh of a start.
 * The program of the threads that run workflows, and what is native, stay where they are.
 * @type {import('esbuild').Plugin}
 */
export const temporalPlugin = {
  name: 'temporal',
  setup(build) {
    build.onLoad({ filter: THREAD.file }, ({ path }) => {
      const parts = fs.readFileSync(path, 'utf8').split(THREAD.from);
      if (parts.length !== 2) throw new BootstrapError(`${path} should say ${THREAD.from} once`);
      return { contents: parts.join(THREAD.to), loader: 'js' };
    });
    build.onResolve({ filter: /^\.\/common$/ }, ({ importer }) =>
      importer.endsWith('/@temporalio/core-bridge/index.js')
        ? { path: FINDS_NATIVE, external: true }
        : undefined,
    );
    build.onLoad({ filter: BUNDLER }, () => ({
      contents: `exports.defaultWorkflowInterceptorModules = [];
        exports.bundleWorkflowCode = exports.WorkflowCodeBundler = function () {
          throw new Error('workflows are bundled when the product is built');
        };`,
      loader: 'js',
    }));
  },
};
