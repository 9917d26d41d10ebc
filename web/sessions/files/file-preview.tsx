import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type ApiAnswer, addressOf, ask } from '../../client/api.ts';
import { messageOf } from '../../client/request.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Picture } from '../../parts/picture.tsx';
import { Problem } from '../../parts/problem.tsx';

type File = ApiAnswer<'GET /v1/files'>['data'][number];

/** Larger files are downloaded. */
const MOST_BYTES = 512_000;

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|x-ndjson|x-sh)$/.test(type);
}

/** Whether a file is shown here at all. */
export function isShown({ mime_type, size_bytes }: File): boolean {
  return PICTURES.has(mime_type) || (isText(mime_type) && size_bytes <= MOST_BYTES);
}

/** The text or the picture of a file. */
export function FilePreview({ file }: { readonly file: File }): ReactElement {
  const params = { id: file.id };
  if (PICTURES.has(file.mime_type))
    return (
      <Picture
        url={addressOf('GET /v1/files/{id}/content', { params })}
        alt={file.filename}
        className="file-picture"
      />
    );
  return <TextPreview file={file} />;
}

function TextPreview({ file }: { readonly file: File }): ReactElement | null {
  const params = { id: file.id };
  const text = useQuery({
    queryKey: ['GET /v1/files/{id}/content', params, null],
    queryFn: async ({ signal }) => (await ask('GET /v1/files/{id}/content', { params, signal })).text(),
  });
  if (text.isError) return <Problem text={messageOf(text.error)} />;
  return text.data === undefined ? null : <CodeBlock code={text.data} label={file.filename} wrap />;
}
