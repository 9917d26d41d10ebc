import { type ActionPolicy, actionPolicy } from '@steadyhand/sessions';
import { ConfigFileError, readYamlFile } from './yaml-file.ts';

/**
 * Reads the file with the action policy for every session and sandbox.
 * @throws {ConfigFileError} in one line
 */
export function readPolicyFile(file: string | undefined): ActionPolicy | undefined {
  if (file === undefined) return undefined;
  const parsed = actionPolicy.safeParse(readYamlFile(file).content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigFileError(file, issue?.path.join('.') ?? '', issue?.message ?? 'not a policy');
}
