/** Endings of names and what they say; the first ending of a type is the one that names without one get. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'text/plain': ['txt', 'log', 'text'],
  'text/markdown': ['md', 'markdown'],
  'text/csv': ['csv'],
  'text/html': ['html', 'htm'],
  'text/css': ['css'],
  'text/javascript': ['js', 'mjs'],
  'text/xml': ['xml'],
  'text/x-python': ['py'],
  'application/json': ['json'],
  'application/x-ndjson': ['jsonl', 'ndjson'],
  'application/yaml': ['yaml', 'yml'],
  'application/zip': ['zip'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
};

/** What clients send when they do not know: the bytes and the name may know better. */
const UNSPECIFIC_TYPES = new Set(['', 'application/octet-stream', 'text/plain']);

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

/** The usual ending of a type with its dot, or nothing. */
export function extensionOf(mimeType: string): string {
  const [first] = TYPES[mimeType] ?? [];
  return first === undefined ? '' : `.${first}`;
}

/**
 * The type of a file: what the client declared, unless that says nothing; then what the first bytes are, then what the name's
 * ending says, then whether the bytes are text.
 * @param head the first bytes, some kilobytes of them
 */
export function fileType(given: string | undefined, name: string | undefined, head: Uint8Array): string {
  const declared = (given ?? '').split(';', 1).join('').trim().toLowerCase();
  if (!UNSPECIFIC_TYPES.has(declared) && MEDIA_TYPE.test(declared)) return declared;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const text = isText(bytes);
  return signature(bytes) ?? byEnding(name, text) ?? (text ? 'text/plain' : 'application/octet-stream');
}

function signature(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('%PDF-')) return 'application/pdf';
  if (start.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(start)) return 'image/webp';
  return undefined;
}

/** An ending that promises text counts only for bytes that are. */
function byEnding(name: string | undefined, text: boolean): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name ?? '')?.[1]?.toLowerCase();
  if (ending === undefined) return undefined;
  const [type] = Object.entries(TYPES).find(([, endings]) => endings.includes(ending)) ?? [];
  const promisesText = type !== undefined && /^text\/|\/(json|x-ndjson|yaml)$/.test(type);
  return promisesText && !text ? undefined : type;
}

/** UTF-8 without a zero byte; a character that the end cuts in two is no objection. */
function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
