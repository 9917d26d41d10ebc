import { bundleWorkflowCode, DefaultLogger, type WorkflowBundle } from '@temporalio/worker';

/**
 * Bundles workflows as the product's are: XState in its production build. It takes seconds.
 * @param alias Packages to take in place of others.
 */
export function bundled(
  workflowsPath: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<WorkflowBundle> {
  return bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('ERROR'),
    webpackConfigHook: (config) => ({
      ...config,
      // Each worker and each replay reads the source map anew, and the sources in it are two fifths of the bundle.
      devtool: 'inline-nosources-source-map',
      resolve: {
        ...config.resolve,
        alias: { ...(config.resolve?.alias as Record<string, string> | undefined), ...alias },
        conditionNames: [
          '@steadyhand/source',
          'webpack',
          'production',
          'module',
          'import',
          'require',
          'default',
        ],
      },
    }),
  });
}
