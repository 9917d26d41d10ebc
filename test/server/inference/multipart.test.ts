import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import { boundaryOf, parseMultipart } from '../../../server/inference/multipart.ts';

const never = (): undefined => undefined;

/** Bytes made of what delimiters are made of, without a delimiter in them. */
const nearly = fc
  .array(fc.constantFrom('\r\n', '\r', '\n', '--b', '--', '-', 'b', '\r\n--', '\r\n-b', 'x', '\0', 'ÿ'), {
    maxLength: 40,
  })
  .map((pieces) => Buffer.from(pieces.join(''), 'latin1'))
  // `--b` at a line's beginning is a delimiter where dashes or a line break follow.
  .filter((bytes) => !/\r\n--b(--|\r\n)/.test(`\r\n${bytes.toString('latin1')}\r\n`));

test('a file’s bytes come out as they went in, whatever they are', async () => {
  await assertAsyncProperty(1000, nearly, fc.string(), fc.boolean(), async (bytes, text, fileFirst) => {
    const file = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'),
      bytes,
      Buffer.from('\r\n'),
    ]);
    const value = text.replaceAll('-', '');
    const field = Buffer.from(`--b\r\nContent-Disposition: form-data; name="t"\r\n\r\n${value}\r\n`);
    const body = Buffer.concat([...(fileFirst ? [file, field] : [field, file]), Buffer.from('--b--\r\n')]);
    const form = await parseMultipart(body, 'b', never);
    expect(form.files.get('file')?.bytes.toString('latin1')).toBe(bytes.toString('latin1'));
    expect(form.fields.get('t')).toBe(value);
  });
});

test('cut anywhere, a form is refused or lacks what was cut, and never ends with another file', async () => {
  const whole = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="t"\r\n\r\ntext\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n\r\n--bytes--\r\n--b--\r\n',
  );
  const end = whole.lastIndexOf('\r\n--b--') + '\r\n--b--'.length;
  for (let length = 0; length < end; length += 1) {
    const parsed = await parseMultipart(whole.subarray(0, length), 'b', never).catch(() => undefined);
    expect(parsed?.files.get('file')?.bytes.toString()).toBe(undefined);
  }
  const { files } = await parseMultipart(whole.subarray(0, end), 'b', never);
  expect(files.get('file')?.bytes.toString()).toBe('\r\n--bytes--');
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=utf-8; boundary=abc; x=y', 'abc'],
  ['Multipart/Form-Data;BOUNDARY="a b;c"', 'a b;c'],
  ['multipart/form-data; boundary=', undefined],
  ['multipart/form-data', undefined],
  [`multipart/form-data; boundary=${'x'.repeat(201)}`, undefined],
])('%s', (contentType, boundary) => {
  let found: string | undefined;
  try {
    found = boundaryOf(contentType);
  } catch {
    found = undefined;
  }
  expect(found).toBe(boundary);
});
