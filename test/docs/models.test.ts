import { readFileSync } from 'node:fs';
import path from 'node:path';
import { resolveSpec } from '../../inference/models/resolve-spec.ts';
import { LAYOUTS, TASKS } from '../../inference/models/model-spec.ts';
import { SIDECAR_FIELDS, parseSidecar } from '../../inference/models/sidecar.ts';

const TEXT = ['models.md', 'model-layouts.md']
  .map((name) => readFileSync(path.resolve(__dirname, '../../docs', name), 'utf8'))
  .join('\n');

const FOLDER_PAGE = readFileSync(path.resolve(__dirname, '../../models/README.md'), 'utf8');

/** The rows of the table under a heading, cell by cell, without its head. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = TEXT.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const [table = ''] = section.split('\n\n').filter((block) => block.trimStart().startsWith('|'));
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const inCode = (cell = ''): string => cell.replace(/^`|`$/g, '');

test('every field of a sidecar has its row, in order', () => {
  expect(rowsUnder('The sidecar').map(([field]) => inCode(field))).toEqual(SIDECAR_FIELDS);
});

test('the defaults in the table are those that a model gets', () => {
  const { image, thresholds } = resolveSpec({
    inputs: [{ name: 'x', datatype: 'FP32', shape: [1, 3, -1, -1] }],
    outputs: [{ name: 'y', datatype: 'FP32', shape: [1, 84, 8400] }],
    metadata: {},
    opset: 17,
    producer: '',
    operators: {},
    nonMaxSuppression: null,
    externalFiles: [],
  });
  const byField = Object.fromEntries(
    rowsUnder('The sidecar').map(([field, , value]) => [inCode(field), inCode(value)]),
  );
  expect(byField).toMatchObject({
    read: image?.read,
    color: image?.color,
    scale: String(image?.scale[0]),
    mean: String(image?.mean[0]),
    std: String(image?.std[0]),
    fit: image?.fit,
    align: image?.align,
    pad: String(image?.pad),
    score_threshold: String(thresholds.score),
    iou_threshold: String(thresholds.iou),
    max_detections: String(thresholds.maxDetections),
  });
  expect(byField['input']).toContain(`${image?.width} x ${image?.height}`);
});

test('every layout and task is described', () => {
  const layouts = rowsUnder('Layouts').map(([layout]) => inCode(layout));
  expect(layouts.filter((layout) => layout !== '')).toEqual(LAYOUTS);
  const [task] = rowsUnder('The sidecar');
  for (const name of TASKS) expect(task?.[1]).toContain(`\`${name}\``);
});

test('every sidecar in the text is one', () => {
  const examples = [...TEXT.matchAll(/`(\{"(?!width": w)[^`]*\})`/g)].map(([, example = '']) => example);
  expect(examples.length).toBeGreaterThan(6);
  for (const example of examples) expect(() => parseSidecar(example)).not.toThrow();
});

test("the sidecars on the models folder's own page are good", () => {
  const sidecars = [...FOLDER_PAGE.matchAll(/```json\n(.+?)```/gs)].map(([, text = '']) => text);
  expect(sidecars).toHaveLength(2);
  for (const text of sidecars) expect(() => parseSidecar(text)).not.toThrow();
});
