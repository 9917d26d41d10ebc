import { type ReactElement, useEffect, useState } from 'react';
import { storedKey } from '../client/access.ts';
import { request } from '../client/request.ts';

interface PictureProps {
  readonly url: string;
  readonly alt: string;
  readonly className?: string;
  /** Told the picture's own size once it is there. */
  readonly onSize?: (size: { readonly width: number; readonly height: number }) => void;
}

/** A picture of this server. With a key it is fetched here, because an <img> sends no key. */
export function Picture({ url, alt, className, onSize }: PictureProps): ReactElement {
  const [held, setHeld] = useState<string>();
  const needsKey = storedKey() !== null;

  useEffect(() => {
    if (!needsKey) return undefined;
    const gone = new AbortController();
    let object: string | undefined;
    const load = async (): Promise<void> => {
      const bytes = await (await request(url, { signal: gone.signal })).blob();
      if (gone.signal.aborted) return;
      object = URL.createObjectURL(bytes);
      setHeld(object);
    };
    load().catch(() => setHeld(undefined));
    return () => {
      gone.abort();
      if (object !== undefined) URL.revokeObjectURL(object);
    };
  }, [url, needsKey]);

  return (
    <img
      src={needsKey ? held : url}
      alt={alt}
      className={className}
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
        onSize?.({ width, height })
      }
    />
  );
}
