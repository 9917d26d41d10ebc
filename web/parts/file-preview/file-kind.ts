/** How a file can be looked at. */
export type FileKind = 'picture' | 'pdf' | 'json' | 'text' | 'other';

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** By the ends of names, for files that nobody has given a type. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  json: 'application/json',
};

const TEXTS =
  /\.(?:txt|md|csv|tsv|log|jsonl|ndjson|ya?ml|toml|ini|conf|xml|html?|css|m?[jt]sx?|py|rb|rs|go|c|h|cpp|java|sh|sql|diff|patch)$/i;

/** A file's type by the end of its name; undefined where that says nothing. */
export function typeOfName(name: string): string | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  if (ending !== undefined && TYPES[ending] !== undefined) return TYPES[ending];
  // Names such as `.profile` and `Makefile` are those of texts.
  return TEXTS.test(name) || /(?:^|\/)(?:\.[a-z_]+|[A-Z][a-z]+file)$/.test(name) ? 'text/plain' : undefined;
}

/** @param type a media type, perhaps with parameters */
export function fileKind(type: string): FileKind {
  const [name = ''] = type.toLowerCase().split(';');
  if (PICTURES.has(name)) return 'picture';
  if (name === 'application/pdf') return 'pdf';
  if (/[/+]json$/.test(name)) return 'json';
  return /^text\/|[/+](?:xml|yaml|x-yaml|javascript|x-ndjson|x-jsonl|jsonl|x-sh|toml|sql)$/.test(name)
    ? 'text'
    : 'other';
}

/** Larger texts are downloaded, in bytes. */
const MOST_TEXT = 512_000;
/** Larger pictures as well. */
const MOST_PICTURE = 30_000_000;

/** Whether a file of this kind and size (in bytes) is shown on a page. */
export function isShown(kind: FileKind, size: number): boolean {
  if (kind === 'other') return false;
  return size <= (kind === 'picture' || kind === 'pdf' ? MOST_PICTURE : MOST_TEXT);
}
