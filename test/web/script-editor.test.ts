import { scriptSchema } from '../../messages/index.ts';
import { TOOLSET_MEMBERS } from '../../sessions/index.ts';
import { schemaOffers } from '../../web/scripts/schema-offers.ts';
import { yamlPlace } from '../../web/scripts/yaml-place.ts';
import type { JsonSchema } from '../../web/parts/schema-form/json-schema.ts';

/** What the editor of scripts offers at the cursor, which is `|` here. */

const schema = scriptSchema(TOOLSET_MEMBERS) as JsonSchema;

function placeIn(text: string): ReturnType<typeof yamlPlace> {
  const at = text.indexOf('|');
  return yamlPlace(text.replace('|', ''), at);
}

function offered(text: string): string[] {
  const place = placeIn(text);
  return place === undefined ? [] : schemaOffers(schema, place).map(({ apply }) => apply);
}

test.each([
  ['- |', ['*'], 'key'],
  ['- ba|', ['*'], 'key'],
  ['- bash: l|', ['*', 'bash'], 'value'],
  ['- computer: {|', ['*', 'computer'], 'key'],
  ['- computer: {action: |', ['*', 'computer', 'action'], 'value'],
  ['- computer:\n    action: x\n    co|', ['*', 'computer'], 'key'],
  ['- together:\n    - say: a\n    - k|', ['*', 'together', '*'], 'key'],
  ['- together:\n  - say: a\n  - k|', ['*', 'together', '*'], 'key'],
  ['- click: {text: a}\n  or|', ['*'], 'key'],
  ['- bash: |-\n    a'.replace('|-', '>-') + '\n- s|', ['*'], 'key'],
])('%j is at %j', (text, path, kind) => {
  expect(placeIn(text)).toMatchObject({ path, kind });
});

test.each([
  ['# a comm|'],
  ['- bash: "in a te|'],
  ['- computer: {action: screenshot}|'],
  ['- bash: >\n    in a long te|'],
])('nothing is offered at %j', (text) => {
  expect(offered(text)).toEqual([]);
});

test('steps are offered, one in each', () => {
  const steps = offered('- bash: ls\n- |');
  expect(steps).toContain('wait_for: ');
  expect(steps).toContain('together: ');
  expect(steps).not.toContain('or_continue: ');
  expect(offered('- bash: ls\n  |')).toEqual(['or_continue: ']);
  expect(offered('|')).toContain('- bash: ');
});

test('the computer’s actions are offered, and the fields of the one that was chosen', () => {
  expect(offered('- computer: {action: |')).toEqual(expect.arrayContaining(['left_click', 'scroll', 'zoom']));
  expect(offered('- computer: |')).toContain('{action: screenshot}');
  const scroll = offered('- computer: {action: scroll, |');
  expect(scroll).toEqual(expect.arrayContaining(['scroll_direction: ', 'scroll_amount: ', 'coordinate: ']));
  expect(scroll).not.toContain('region: ');
  expect(offered('- computer: {action: scroll, scroll_direction: |')).toEqual([
    'up',
    'down',
    'left',
    'right',
  ]);
  expect(offered('- computer:\n    action: zoom\n    |')).toEqual(['region: ']);
});

test('fields of other steps come from their tools', () => {
  expect(offered('- edit: {command: |')).toEqual(expect.arrayContaining(['view', 'create', 'str_replace']));
  expect(offered('- wait_for: {|')).toEqual(['text: ', 'timeout: ']);
  expect(offered('- type_into: {field: a, |')).toEqual(['text: ', 'nth: ']);
  expect(offered('- write: {|')).toEqual(expect.arrayContaining(['file_path: ', 'content: ']));
  expect(offered('- bash: {|')).toEqual(['command: ', 'restart: ']);
  expect(offered('- bash: ls\n  or_continue: |')).toEqual(['true', 'false']);
});

test('what is offered says what it is', () => {
  const place = placeIn('- wai|');
  const found = place === undefined ? [] : schemaOffers(schema, place);
  expect(found.find(({ label }) => label === 'wait_for')?.about).toBe(
    'Takes screenshots until a text is on the screen.',
  );
});
