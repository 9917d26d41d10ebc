import type { z } from 'zod';

/** The providers file is invalid. The message is one line with the file, the path and what was expected. */
export class ProvidersFileError extends Error {
  override readonly name = 'ProvidersFileError';

  constructor(file: string, path: readonly PropertyKey[], text: string) {
    const where = path.map(String).join('.');
    super(`${file}: ${where === '' ? '' : `${where}: `}${text.replaceAll(/\s*\n\s*/g, ' ')}`);
  }
}

type Issue = z.core.$ZodIssue;

/** Finds the place of an issue and what was expected there. For an unknown field it lists the known ones. */
export function issueText(issue: Issue, schema: z.ZodType): { path: readonly PropertyKey[]; text: string } {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return { path: issue.path, text: 'this field is required' };
  }
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = fieldsAt(schema, issue.path);
      const expected = known === undefined ? '' : `; expected one of ${known.join(', ')}`;
      return { path: [...issue.path, issue.keys[0] ?? ''], text: `no such field${expected}` };
    }
    case 'invalid_type':
      return { path: issue.path, text: `expected ${issue.expected}` };
    case 'invalid_value':
      return { path: issue.path, text: `expected ${issue.values.map(String).join(' or ')}` };
    default:
      return { path: issue.path, text: lowered(issue.message) };
  }
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

interface Shaped {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  unwrap?(): z.ZodType;
}

/** Finds the fields of the object at a path in the schema. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] | undefined {
  const { shape, element } = schema as Shaped;
  if (shape === undefined && element === undefined) {
    const inner = (schema as Shaped).unwrap?.();
    return inner === undefined ? undefined : fieldsAt(inner, path);
  }
  const [head, ...rest] = path;
  if (head === undefined) return shape === undefined ? undefined : Object.keys(shape);
  const inner = shape === undefined ? element : shape[String(head)];
  return inner === undefined ? undefined : fieldsAt(inner, rest);
}
