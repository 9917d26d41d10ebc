import { z } from 'zod';
import { type SecretValues, valueFault } from '@steadyhand/sessions';
import { ConfigFileError, readYamlFile } from './yaml-file.ts';

const shape = z.record(z.string(), z.string());

/**
 * Reads the file with values that sessions may use by name.
 * @throws {ConfigFileError} in one line that repeats no value; also when users other than its owner can read the file
 */
export function readSecretsFile(file: string | undefined): SecretValues {
  if (file === undefined) return {};
  const { content, isOpen } = readYamlFile(file);
  if (isOpen) throw new ConfigFileError(file, '', 'is readable by others: it must have mode 0600');
  const parsed = shape.safeParse(content);
  if (!parsed.success) throw new ConfigFileError(file, '', 'expected texts by name');
  for (const [name, value] of Object.entries(parsed.data)) {
    const fault = valueFault(value);
    if (fault !== undefined) throw new ConfigFileError(file, name, fault);
  }
  return parsed.data;
}
