import type { CustomTool } from '@steadyhand/messages';

/** A member of the agent toolset, as it is offered to every model. Names and inputs are those of the SDK's types. */
export interface ToolsetMember {
  readonly name: string;
  readonly description: string;
  readonly input_schema: CustomTool['input_schema'];
}

const string = (description: string): object => ({ type: 'string', description });

function member(
  name: string,
  description: string,
  [required, optional = {}]: readonly [required: Record<string, object>, optional?: Record<string, object>],
): ToolsetMember {
  const properties = { ...required, ...optional };
  return { name, description, input_schema: { type: 'object', properties, required: Object.keys(required) } };
}

const FILE = 'Path of the file: absolute, or from the home folder on';
const FOLDER = 'Folder or file to search: absolute, or from the home folder on, which is the default';

/** The members of `agent_toolset_20260401` that sandboxes implement, in the order in which models are offered them. */
export const TOOLSET_MEMBERS = [
  member(
    'bash',
    'Runs a bash command in a persistent shell: its folder, variables and background jobs last from call to call. Start what does ' +
      'not end by itself in the background. A command that fails is answered with its output and its exit status.',
    [
      {},
      {
        command: string('The command to run; may be left out only with restart'),
        restart: {
          type: 'boolean',
          description: 'true begins a new shell, before the command if there is one',
        },
        timeout_ms: {
          type: 'integer',
          minimum: 0,
          description: 'Milliseconds after which the command is stopped; 0 for the default of two minutes',
        },
      },
    ],
  ),
  member(
    'read',
    'Reads a file. Text comes as it is, without line numbers, at most 256 KiB at a time; PNG, JPEG, GIF and WebP files come as ' +
      'pictures.',
    [
      { file_path: string(FILE) },
      {
        view_range: {
          type: 'array',
          items: { type: 'integer' },
          description:
            '[start_line, end_line], counted from 1, both included; an end of 0 or -1 is the end of the file',
        },
      },
    ],
  ),
  member('write', 'Writes a text file, replacing what is there. Folders on the way are made.', [
    { file_path: string(FILE), content: string('The whole content of the file') },
  ]),
  member(
    'edit',
    'Replaces old_string with new_string in a text file. old_string must stand there exactly once, unless replace_all is true.',
    [
      {
        file_path: string(FILE),
        old_string: string('The text to replace, white space and line ends included'),
        new_string: string('The text to put in its place'),
      },
      { replace_all: { type: 'boolean', description: 'true replaces every occurrence' } },
    ],
  ),
  member(
    'glob',
    'Finds files by a glob such as **/*.ts and answers their absolute paths, the last changed first, at most 200. Names that begin ' +
      'with a dot are matched only where the pattern writes the dot; .git and node_modules are left out.',
    [{ pattern: string('The glob: *, ?, [a-z], {a,b}, and ** for any folders') }, { path: string(FOLDER) }],
  ),
  member(
    'grep',
    'Searches the contents of files for a regular expression and answers the matching lines as path:line:text. Folders are searched ' +
      'with all that is in them; binary files, .git and node_modules are left out.',
    [{ pattern: string('The regular expression, of one line') }, { path: string(FOLDER) }],
  ),
  member(
    'web_fetch',
    'Fetches a URL by GET and answers its text: a web page as Markdown, a picture as a picture. A redirect to another host is told ' +
      'and not followed.',
    [{ url: string('An absolute http or https URL') }],
  ),
] as const satisfies readonly ToolsetMember[];
