import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '../button.tsx';
import { CodeBlock } from '../code-block.tsx';
import { ErrorState } from '../error-state.tsx';
import { JsonTree } from '../json-tree.tsx';
import { Loading } from '../loading.tsx';
import { type FileKind, fileKind, isShown } from './file-kind.ts';

interface FilePreviewProps {
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Under which the bytes are held; it changes when they do. */
  readonly queryKey: readonly unknown[];
  readonly load: (signal: AbortSignal) => Promise<Blob>;
}

/** A file as what it is: a picture, a text, a tree of JSON, or a PDF to be opened beside; else a word that it is not shown. */
export function FilePreview({ name, type, size, queryKey, load }: FilePreviewProps): ReactElement {
  const kind = fileKind(type);
  const shown = isShown(kind, size);
  const { data, error, refetch } = useQuery({
    queryKey,
    // Files of one id never change, and those that do are asked for under another key.
    staleTime: Infinity,
    queryFn: ({ signal }) => load(signal),
    enabled: shown,
  });
  if (!shown) {
    return (
      <p className="quiet">
        {kind === 'other' ? 'Files of this type are not shown here.' : 'It is too large to be shown here.'}{' '}
        Download it to look at it.
      </p>
    );
  }
  if (error !== null && data === undefined) return <ErrorState error={error} retry={refetch} />;
  return data === undefined ? (
    <Loading label={`${name}: loading`} />
  ) : (
    <Content name={name} type={type} kind={kind} bytes={data} />
  );
}

interface ContentProps {
  readonly name: string;
  readonly type: string;
  readonly kind: FileKind;
  readonly bytes: Blob;
}

function Content({ name, type, kind, bytes }: ContentProps): ReactElement | null {
  if (kind === 'picture') return <PictureOf name={name} type={type} bytes={bytes} />;
  if (kind === 'pdf') return <PdfOpener bytes={bytes} />;
  return <TextOf name={name} kind={kind} bytes={bytes} />;
}

function PictureOf({ name, type, bytes }: Omit<ContentProps, 'kind'>): ReactElement {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    // Under its own type, because the server sends files so that no browser opens them.
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return <img src={url} alt={name} className="file-picture" />;
}

function PdfOpener({ bytes }: { readonly bytes: Blob }): ReactElement {
  const open = (): void => {
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
    window.open(url, '_blank', 'noopener');
    window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <Button onClick={open}>
      <ExternalLink size={15} aria-hidden />
      Open the PDF in a new tab
    </Button>
  );
}

function TextOf({ name, kind, bytes }: Omit<ContentProps, 'type'>): ReactElement | null {
  const [text, setText] = useState<string>();
  useEffect(() => {
    let gone = false;
    void bytes.text().then((read) => (gone ? undefined : setText(read)));
    return () => {
      gone = true;
    };
  }, [bytes]);
  if (text === undefined) return null;
  const parsed = kind === 'json' ? jsonOf(text) : undefined;
  if (parsed !== undefined) return <JsonTree value={parsed.value} label={name} open={3} />;
  return text === '' ? (
    <p className="quiet">The file is empty.</p>
  ) : (
    <CodeBlock code={text} label={name} wrap />
  );
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
