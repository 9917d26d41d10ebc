import { type ReactElement, useMemo, useState } from 'react';
import { CopyButton } from './copyable.tsx';
import { JsonNode } from './json-node.tsx';
import { placesOf } from './json-places.ts';

interface JsonTreeProps {
  readonly value: unknown;
  /** What it is, e.g. `Context`. */
  readonly label: string;
  /** How many levels are open at first; fewer where the value is large. Default: 2. */
  readonly open?: number;
  /** Places (JSON pointers) that are marked, e.g. because they changed. */
  readonly marked?: ReadonlySet<string>;
  /** A field that searches keys and values; default: where there is more than a screenful. */
  readonly search?: boolean;
}

/** With more values than this, only the first level is open. */
const LARGE = 200;

/** A JSON value as a tree: it folds, it can be searched, and it can be copied as a whole or in part. */
export function JsonTree({ value, label, open = 2, marked, search }: JsonTreeProps): ReactElement {
  const [text, setText] = useState('');
  const places = useMemo(() => placesOf(value, LARGE), [value]);
  const isLarge = places >= LARGE;
  const sought = text.trim().toLowerCase();
  return (
    <div className="json-tree" role="group" aria-label={label}>
      <div className="json-tools">
        {(search ?? places > 25) ? (
          <input
            type="search"
            aria-label={`Search in ${label}`}
            placeholder="Search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        ) : null}
        <CopyButton text={() => JSON.stringify(value, null, 2) ?? 'undefined'} what={label} />
      </div>
      <ul className="plain">
        <JsonNode
          name={undefined}
          value={value}
          place=""
          depth={0}
          open={isLarge ? Math.min(open, 1) : open}
          sought={sought}
          marked={marked ?? NONE}
        />
      </ul>
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();
