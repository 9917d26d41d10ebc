import { type ReactElement, useState } from 'react';
import { Picture } from '../../parts/picture.tsx';
import { PlaceMark, type Size } from './place-mark.tsx';
import type { Place } from './shown-use.ts';

interface MarkedScreenProps {
  readonly url: string;
  readonly alt: string;
  readonly mark?: { readonly to: Place; readonly from?: Place | undefined } | undefined;
  readonly pending?: boolean;
}

/** A picture of the screen, with the place of an action marked on it. */
export function MarkedScreen({ url, alt, mark, pending = false }: MarkedScreenProps): ReactElement {
  const [size, setSize] = useState<Size>();
  return (
    <span className="marked-screen">
      <Picture url={url} alt={alt} onSize={setSize} />
      {mark === undefined || size === undefined ? null : (
        <PlaceMark size={size} to={mark.to} from={mark.from} pending={pending} />
      )}
    </span>
  );
}
