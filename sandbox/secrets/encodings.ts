/** The smallest length of a form: a shorter one would be found in half of all texts. */
const MIN_SECRET_CHARACTERS = 4;
/** Lines of a value are also looked for singly from this length on, because programs may put numbers before lines. */
const MIN_LINE = 8;

/**
 * The forms in which programs show a value: unchanged, line by line, and as it is written in JSON, URLs, HTML, shells,
 * hexadecimal digits and base64, the last also as a part of a longer text. The longest form comes first.
 */
export function encodingsOf(value: string): readonly string[] {
  const lines = value.includes('\n')
    ? value.split(/\r?\n/).filter((line) => line.trim().length >= MIN_LINE)
    : [];
  const plain = [
    value,
    value.trim(),
    value.replaceAll('\n', '\r\n'),
    ...lines,
    ...lines.map((line) => line.trim()),
  ];
  const bytes = Buffer.from(value, 'utf8');
  const forms = [
    ...plain.flatMap((text) => [text, ...escaped(text)]),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64Forms(bytes),
    ...base64Forms(Buffer.from(`${value}\n`, 'utf8')),
  ];
  const unique = new Set(forms.filter((form) => form.length >= MIN_SECRET_CHARACTERS));
  return [...unique].toSorted((one, other) => other.length - one.length);
}

function escaped(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text);
  const strict = url.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ...[url, strict].flatMap((form) => [
      form,
      form.replaceAll('%20', '+'),
      form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ]),
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
    text.replaceAll("'", String.raw`'\''`),
    text.replaceAll("'", `'"'"'`),
    text.replaceAll(/[^A-Za-z0-9_@%+=:,./\n-]/g, String.raw`\$&`),
    text.replaceAll(/["\\$`]/g, String.raw`\$&`),
  ];
}

/** Base64 in both alphabets: for each of the three offsets, the characters that depend on the value alone. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = whole.slice(from, to);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
