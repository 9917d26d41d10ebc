import { ChevronRight } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copyable.tsx';
import { holdsText } from './json-places.ts';
import { Marked } from './marked.tsx';

interface JsonNodeProps {
  /** Its key or index; undefined for the whole value. */
  readonly name: string | undefined;
  readonly value: unknown;
  /** A JSON pointer. */
  readonly place: string;
  readonly depth: number;
  /** Down to which depth nodes are open at first. */
  readonly open: number;
  /** In lower case; empty when nothing is searched for. */
  readonly sought: string;
  readonly marked: ReadonlySet<string>;
}

/** Entries of a list or an object that are shown at once. */
const CHUNK = 100;
/** Characters of a text that are shown before it is opened. */
const TEXT = 400;

export function JsonNode(props: JsonNodeProps): ReactElement | null {
  const { name, value, place, depth, open, sought, marked } = props;
  const [chosen, setChosen] = useState<boolean>();
  const [most, setMost] = useState(CHUNK);
  const isFound = sought !== '' && holdsText(name, value, sought);
  if (sought !== '' && depth > 0 && !isFound) return null;
  const key =
    name === undefined ? null : (
      <>
        <span className="key">
          <Marked text={name} sought={sought} />
        </span>
        {': '}
      </>
    );
  const classes = marked.has(place) ? 'changed' : undefined;
  if (typeof value !== 'object' || value === null) {
    return (
      <li className={classes}>
        {key}
        <Scalar value={value} sought={sought} />
      </li>
    );
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const isOpen = chosen ?? (depth < open || isFound);
  const [before, after] = Array.isArray(value) ? '[]' : '{}';
  const count = `${entries.length} ${Array.isArray(value) ? (entries.length === 1 ? 'entry' : 'entries') : entries.length === 1 ? 'key' : 'keys'}`;
  if (entries.length === 0) {
    return (
      <li className={classes}>
        {key}
        {before}
        {after}
      </li>
    );
  }
  return (
    <li className={classes}>
      <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        <ChevronRight size={13} aria-hidden className={isOpen ? 'turned' : undefined} />
        {key}
        <span className="quiet">
          {before}
          {isOpen ? '' : ` ${count} ${after}`}
        </span>
      </button>
      {isOpen && depth > 0 ? (
        <CopyButton text={() => JSON.stringify(value, null, 2)} what={name ?? 'value'} />
      ) : null}
      {isOpen ? (
        <>
          <ul className="plain">
            {entries.slice(0, most).map(([inner, held]) => (
              <JsonNode
                {...props}
                key={inner}
                name={inner}
                value={held}
                place={`${place}/${inner.replaceAll('~', '~0').replaceAll('/', '~1')}`}
                depth={depth + 1}
              />
            ))}
          </ul>
          {entries.length > most ? (
            <Button size="small" tone="subtle" onClick={() => setMost(most + 10 * CHUNK)}>
              {entries.length - most} more
            </Button>
          ) : null}
          <span className="quiet">{after}</span>
        </>
      ) : null}
    </li>
  );
}

function Scalar({ value, sought }: { readonly value: unknown; readonly sought: string }): ReactElement {
  const [whole, setWhole] = useState(false);
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const isCut = text.length > TEXT && !whole;
  return (
    <>
      <span className={value === null ? 'null' : typeof value}>
        <Marked text={isCut ? text.slice(0, TEXT) : text} sought={sought} />
      </span>
      {isCut ? (
        <Button size="small" tone="subtle" onClick={() => setWhole(true)}>
          … {text.length - TEXT} more characters
        </Button>
      ) : null}
    </>
  );
}
