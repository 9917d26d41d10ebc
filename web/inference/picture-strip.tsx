import { ChevronLeft, ChevronRight, Trash2 } from 'lucide-react';
import { type ReactElement, useEffect, useRef } from 'react';
import { IconButton } from '../parts/icon-button.tsx';
import { useKeys } from '../parts/keys.ts';
import type { ChosenPicture } from './use-pictures.ts';

interface PictureStripProps {
  readonly pictures: readonly ChosenPicture[];
  readonly index: number;
  readonly go: (index: number) => void;
  readonly clear: () => void;
}

const GROUP = 'Images';

/** Goes through the pictures, one by one or by choosing one. */
export function PictureStrip({ pictures, index, go, clear }: PictureStripProps): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  useKeys([
    { keys: ',', label: 'The picture before', group: GROUP, run: () => go(index - 1) },
    { keys: '.', label: 'The next picture', group: GROUP, run: () => go(index + 1) },
  ]);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [index]);
  return (
    <div className="picture-strip" role="group" aria-label="Pictures">
      <IconButton
        icon={ChevronLeft}
        label="The picture before"
        disabled={index <= 0}
        onClick={() => go(index - 1)}
      />
      <ol ref={list} className="plain">
        {pictures.map(({ id, url, file }, place) => (
          <li key={id}>
            <button
              type="button"
              aria-label={`Picture ${place + 1}: ${file.name}`}
              aria-current={place === index}
              title={file.name}
              onClick={() => go(place)}
            >
              <img src={url} alt="" draggable={false} loading="lazy" />
            </button>
          </li>
        ))}
      </ol>
      <IconButton
        icon={ChevronRight}
        label="The next picture"
        disabled={index >= pictures.length - 1}
        onClick={() => go(index + 1)}
      />
      <span className="figures quiet small">
        {index + 1} of {pictures.length}
      </span>
      <IconButton icon={Trash2} label="Put the pictures away" onClick={clear} />
    </div>
  );
}
