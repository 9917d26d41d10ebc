import { useEffect, useRef, useState } from 'react';

/** A picture that somebody has chosen or dropped. It stays in the browser but for its analysis. */
export interface ChosenPicture {
  readonly id: number;
  readonly file: File;
  /** An address within this page. */
  readonly url: string;
}

interface Pictures {
  readonly pictures: readonly ChosenPicture[];
  readonly current: ChosenPicture | undefined;
  /** The place of the current one, from 0; -1 where there is none. */
  readonly index: number;
  /** Adds pictures and goes to the first of them. */
  readonly add: (files: readonly File[]) => void;
  readonly go: (index: number) => void;
  readonly clear: () => void;
}

/** The pictures that are looked at, one at a time. */
export function usePictures(): Pictures {
  const [pictures, setPictures] = useState<readonly ChosenPicture[]>([]);
  const [index, setIndex] = useState(0);
  const newest = useRef(pictures);
  newest.current = pictures;
  const count = useRef(0);
  useEffect(() => () => forget(newest.current), []);
  const at = Math.min(index, pictures.length - 1);
  return {
    pictures,
    current: pictures[at],
    index: at,
    add: (files) => {
      if (files.length === 0) return;
      const added = files.map((file) => ({ id: (count.current += 1), file, url: URL.createObjectURL(file) }));
      setPictures([...pictures, ...added]);
      setIndex(pictures.length);
    },
    go: (next) => setIndex(Math.max(0, Math.min(next, pictures.length - 1))),
    clear: () => {
      forget(pictures);
      setPictures([]);
      setIndex(0);
    },
  };
}

function forget(pictures: readonly ChosenPicture[]): void {
  for (const { url } of pictures) URL.revokeObjectURL(url);
}
