/** A call of `POST /analyze`, to be said in other languages. */
export interface SameCall {
  /** The server, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly model: string;
  /** Of a model whose answer is tensors their figures are asked for. */
  readonly isStats: boolean;
  /** The picture's file, as it is called where it lies. */
  readonly file: string;
  /** Whether the server wants a key. */
  readonly needsKey: boolean;
}

export const LANGUAGES = ['curl', 'Python', 'TypeScript'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The environment variable in which the examples look for the key. */
const KEY = 'STEADYHAND_API_KEY';

/** The same call, to be pasted; Python with the package `requests`, TypeScript for Node 20. */
export function sameCall(language: Language, call: SameCall): string {
  switch (language) {
    case 'curl':
      return curl(call);
    case 'Python':
      return python(call);
    case 'TypeScript':
      return typescript(call);
  }
}

const queryOf = ({ model, isStats }: SameCall): Record<string, string> => ({
  model,
  ...(isStats ? { output: 'stats' } : {}),
});

const addressOf = (call: SameCall): string =>
  `${call.origin}/analyze?${new URLSearchParams(queryOf(call)).toString()}`;

function curl(call: SameCall): string {
  const lines = [
    'curl',
    ...(call.needsKey ? [`-H "x-api-key: $${KEY}"`] : []),
    // Within quotation marks curl takes a comma or a semicolon for a part of the name.
    `-F ${shell(`file=@"${call.file.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`)}`,
    shell(addressOf(call)),
  ];
  return lines.join(' \\\n  ');
}

/** A text as one word of a shell. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text as a literal of Python and of TypeScript. */
const quoted = (text: string): string => JSON.stringify(text);

function python(call: SameCall): string {
  const query = Object.entries(queryOf(call))
    .map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)
    .join(', ');
  return [
    ...(call.needsKey ? ['import os', ''] : []),
    'import requests',
    '',
    `with open(${quoted(call.file)}, "rb") as picture:`,
    '    answer = requests.post(',
    `        ${quoted(`${call.origin}/analyze`)},`,
    `        params={${query}},`,
    ...(call.needsKey ? [`        headers={"x-api-key": os.environ["${KEY}"]},`] : []),
    '        files={"file": picture},',
    '    )',
    'answer.raise_for_status()',
    'print(answer.json())',
    '',
  ].join('\n');
}

function typescript(call: SameCall): string {
  return [
    "import { openAsBlob } from 'node:fs';",
    '',
    'const form = new FormData();',
    `form.set('file', await openAsBlob(${quoted(call.file)}), ${quoted(call.file)});`,
    `const answer = await fetch(${quoted(addressOf(call))}, {`,
    "  method: 'POST',",
    ...(call.needsKey ? [`  headers: { 'x-api-key': process.env['${KEY}'] ?? '' },`] : []),
    '  body: form,',
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    'console.log(JSON.stringify(await answer.json(), null, 2));',
    '',
  ].join('\n');
}
