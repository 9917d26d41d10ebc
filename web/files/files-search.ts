import { type FileKind, fileKind } from '../parts/file-preview/file-kind.ts';

/** What is asked for by type: all, or one of the kinds that are looked at in the same way. */
export const KINDS = ['all', 'picture', 'text', 'json', 'pdf', 'other'] as const satisfies readonly (
  | FileKind
  | 'all'
)[];
export type Kind = (typeof KINDS)[number];

/** How the list of files is narrowed, in its address. */
export interface FilesSearch {
  /** A part of a name or an id. */
  readonly text?: string;
  /** The session that they belong to. */
  readonly session?: string;
  readonly kind?: Exclude<Kind, 'all'>;
  /** The id of the file before the first one that is shown. */
  readonly after?: string;
}

export function filesSearch({ text, session, kind, after }: Record<string, unknown>): FilesSearch {
  const known = KINDS.find((name) => name === kind);
  return {
    ...(typeof text === 'string' && text !== '' ? { text } : {}),
    ...(typeof session === 'string' && session !== '' ? { session } : {}),
    ...(known === undefined || known === 'all' ? {} : { kind: known }),
    ...(typeof after === 'string' && after !== '' ? { after } : {}),
  };
}

interface Named {
  readonly id: string;
  readonly filename: string;
  readonly mime_type: string;
}

/** Whether a file is among those that are asked for by name and by kind. */
export function isAskedFor({ id, filename, mime_type }: Named, { text = '', kind }: FilesSearch): boolean {
  const sought = text.toLowerCase();
  const named = filename.toLowerCase().includes(sought) || id.toLowerCase().includes(sought);
  return named && (kind === undefined || fileKind(mime_type) === kind);
}
