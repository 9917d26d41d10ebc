import { type ActionSecret, AGENT_TOOLSET, type SecretTool } from '@steadyhand/contracts';
import { ToolError } from '../tools/tool.ts';

/** The form of a reference to a secret in a tool's input. */
const REFERENCE = /\{\{\s*secret:\s*([A-Za-z_]\w*)\s*\}\}/g;
/** The actions and fields in which references are replaced by values. */
const TYPED = ['type', 'clipboard_write'];
const WRITTEN = ['file_text', 'new_str', 'insert_text', 'old_str'];
/** The fields of the agent toolset, by tool. */
const TOOLSET_WRITTEN: Readonly<Record<string, readonly string[]>> = {
  write: ['content'],
  edit: ['old_string', 'new_string'],
};

/** A tool's input with values in place of references, and the variables for a command's environment. */
interface ResolvedInput {
  readonly input: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Replaces references to secrets by values in a tool's input: in what the computer types or puts on the clipboard, and
 * in the editor's texts. A bash command's text never contains a value; the command finds the secrets that it names in
 * its environment.
 * @throws {ToolError} when there is no such secret, or this tool may not use it
 */
export function resolveSecrets(
  tool: { readonly type: string; readonly name: string },
  input: unknown,
  secrets: readonly ActionSecret[],
): ResolvedInput {
  if (secrets.length === 0 || typeof input !== 'object' || input === null) return { input };
  const fields = input as Readonly<Record<string, unknown>>;
  const isBash = tool.type === AGENT_TOOLSET ? tool.name === 'bash' : tool.type.startsWith('bash_');
  if (isBash) return { input, ...environment(fields, secrets) };
  if (tool.type.startsWith('text_editor_')) return { input: filled(fields, WRITTEN, 'editor', secrets) };
  if (tool.type === AGENT_TOOLSET)
    return { input: filled(fields, TOOLSET_WRITTEN[tool.name] ?? [], 'editor', secrets) };
  const isMember = tool.type === 'computer_toolset_20260801';
  const action = isMember ? tool.name : fields['action'];
  return TYPED.includes(String(action))
    ? { input: filled(fields, ['text'], 'computer', secrets) }
    : { input };
}

function environment(
  { command }: Readonly<Record<string, unknown>>,
  secrets: readonly ActionSecret[],
): { env?: Record<string, string> } {
  if (typeof command !== 'string') return {};
  const [reference] = command.matchAll(REFERENCE);
  if (reference !== undefined) {
    const { name } = findSecret(reference[1] ?? '', 'bash', secrets);
    throw new ToolError(
      `In a command a secret is an environment variable: write "$${name}" in the place of ${reference[0]}.`,
    );
  }
  const named = secrets.filter(({ name }) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(command));
  for (const { name } of named)
    if (new RegExp(`\\$\\{?[!#]?${name}(?!\\w)`).test(command)) findSecret(name, 'bash', secrets);
  const given = named.filter(({ tools }) => tools.includes('bash'));
  return given.length === 0 ? {} : { env: Object.fromEntries(given.map(({ name, value }) => [name, value])) };
}

function filled(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  tool: SecretTool,
  secrets: readonly ActionSecret[],
): Readonly<Record<string, unknown>> {
  const changed = names.flatMap((name) => {
    const text = fields[name];
    if (typeof text !== 'string') return [];
    return [
      [name, text.replaceAll(REFERENCE, (_, wanted: string) => findSecret(wanted, tool, secrets).value)],
    ];
  });
  return { ...fields, ...(Object.fromEntries(changed) as Record<string, string>) };
}

function findSecret(name: string, tool: SecretTool, secrets: readonly ActionSecret[]): ActionSecret {
  const secret = secrets.find((candidate) => candidate.name === name);
  if (secret === undefined)
    throw new ToolError(
      `There is no secret named ${name}. There are: ${secrets.map((one) => one.name).join(', ')}.`,
    );
  if (!secret.tools.includes(tool))
    throw new ToolError(
      `The secret ${name} may not be used with the ${tool} tool, only with: ${secret.tools.join(', ')}.`,
    );
  return secret;
}
