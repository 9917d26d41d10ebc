/** The extensions of each type; the first one is given to files without a name. */
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

/** The types that clients send when they do not know better; bytes and name may tell more. */
const UNSPECIFIC_TYPES = new Set(['', 'application/octet-stream', 'text/plain']);

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

/** The usual extension of a type with its dot; empty where there is none. */
export function extensionOf(mimeType: string): string {
  const [first] = TYPES[mimeType] ?? [];
  return first === undefined ? '' : `.${first}`;
}

/**
 * The type of a file: the one that the client declared, if it is specific; otherwise that of the first bytes, then that
 * of the name's extension, then `text/plain` if the bytes are text.
 * @param head the first kilobytes
 */
export function fileType(given: string | undefined, name: string | undefined, head: Uint8Array): string {
  const declared = (given ?? '').split(';', 1).join('').trim().toLowerCase();
  if (!UNSPECIFIC_TYPES.has(declared) && MEDIA_TYPE.test(declared)) return declared;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const text = isText(bytes);
  return signature(bytes) ?? byExtension(name, text) ?? (text ? 'text/plain' : 'application/octet-stream');
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

/** The extension of a text format counts only if the bytes are text. */
function byExtension(name: string | undefined, text: boolean): string | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name ?? '')?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  const [type] = Object.entries(TYPES).find(([, extensions]) => extensions.includes(extension)) ?? [];
  const promisesText = type !== undefined && /^text\/|\/(json|x-ndjson|yaml)$/.test(type);
  return promisesText && !text ? undefined : type;
}

/** Whether bytes are UTF-8 without a zero byte; the end may cut a character. */
function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
