/**
 * Writes test/statechart/scxml/fixtures.json from the npm package @scion-scxml/test-framework: the cases that XState's own test
 * of SCXML runs, as trees of elements.
 *
 *   npm pack @scion-scxml/test-framework@2.0.16 && tar xzf scion-scxml-test-framework-2.0.16.tgz
 *   npx esbuild test/oracle/scxml-fixtures.ts --bundle --platform=node --format=esm --outfile=.tmp/scxml-fixtures.mjs
 *   node .tmp/scxml-fixtures.mjs package
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ScxmlCase, ScxmlElement } from '../statechart/scxml/scxml-case.ts';

const range = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`);
const w3c = (numbers: string): string[] => numbers.split(' ').map((number) => `test${number}.txml`);

const CASES: Readonly<Record<string, readonly string[]>> = {
  actionSend: ['send1', 'send2', 'send3', 'send4', 'send4b', 'send7', 'send7b', 'send8', 'send8b', 'send9'],
  'assign-current-small-step': range('test', 0, 4),
  basic: range('basic', 0, 2),
  'cond-js': ['test0', 'test1', 'test2', 'TestConditionalTransition'],
  'default-initial-state': ['initial1', 'initial2'],
  delayedSend: range('send', 1, 3),
  documentOrder: ['documentOrder0'],
  hierarchy: range('hier', 0, 2),
  'hierarchy+documentOrder': range('test', 0, 1),
  history: [...range('history', 0, 4), 'history4b', 'history5', 'history6'],
  'if-else': ['test0'],
  in: ['TestInPredicate'],
  'internal-transitions': range('test', 0, 1),
  'more-parallel': [...range('test', 0, 10), 'test2b', 'test3b', 'test6b', 'test10b'],
  'multiple-events-per-transition': ['test1'],
  parallel: range('test', 0, 3),
  'parallel+interrupt': [...range('test', 0, 25), ...range('test', 27, 31), 'test7b', 'test21b', 'test21c'],
  'targetless-transition': range('test', 0, 3),
  'w3c-ecma': w3c(
    '144 147 148 149 158 172 173 174 175 176 185 186 187 189 190 191 192 193 200 201 205 208 220 232 235 237 247 287 318 ' +
      '333 335 336 337 339 342 347 348 349 355 372 375 377 387 396 399 403a 403b 403c 404 405 406 407 416 417 419 421 423 ' +
      '445 449 453 495 503 504 505 560 570',
  ),
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the unpacked package');

const cases = Object.entries(CASES).flatMap(([group, names]) =>
  names.map((name): ScxmlCase => {
    const read = (ending: string): string =>
      readFileSync(path.join(folder, 'test', group, `${name}.${ending}`), 'utf8');
    const { initialConfiguration, events } = JSON.parse(read('json')) as Omit<ScxmlCase, 'name' | 'scxml'>;
    return { name: `${group}/${name}`, initialConfiguration, events, scxml: parse(read('scxml')) };
  }),
);
const target = 'test/statechart/scxml/fixtures.json';
const lines = cases.map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(target, `[\n${lines}\n]\n`);
console.log(`${cases.length} cases`);

/** The root element. The files use no namespaces of elements and no sections of raw characters. */
function parse(xml: string): ScxmlElement {
  const stack: {
    name: string;
    attributes: Record<string, string>;
    elements: ScxmlElement[];
    text: string;
  }[] = [{ name: '', attributes: {}, elements: [], text: '' }];
  for (const [whole, text = ''] of xml.matchAll(
    /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(?:"[^"]*"|'[^']*'|[^>"'])*>|([^<]+)/g,
  )) {
    const top = stack.at(-1);
    if (top === undefined) throw new Error('an element too many is closed');
    if (whole.startsWith('<!--') || whole.startsWith('<?')) continue;
    if (!whole.startsWith('<')) {
      top.text += decoded(text);
    } else if (whole.startsWith('</')) {
      stack.pop();
      stack.at(-1)?.elements.push(elementOf(top));
    } else {
      const [, name = '', rest = ''] = /^<([\w:-]+)([\s\S]*?)\/?>$/.exec(whole) ?? [];
      const attributes = Object.fromEntries(
        [...rest.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
          .filter(([, key = '']) => !key.startsWith('xmlns'))
          .map(([, key = '', double, single]) => [key, decoded(double ?? single ?? '')]),
      );
      const element = { name, attributes, elements: [], text: '' };
      if (whole.endsWith('/>')) top.elements.push(elementOf(element));
      else stack.push(element);
    }
  }
  const [root] = stack[0]?.elements ?? [];
  if (root === undefined) throw new Error('no element');
  return root;
}

function elementOf({ name, attributes, elements, text }: ScxmlElement & { text: string }): ScxmlElement {
  return {
    name,
    ...(Object.keys(attributes ?? {}).length === 0 ? {} : { attributes }),
    ...((elements ?? []).length === 0 ? {} : { elements }),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  };
}

function decoded(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
