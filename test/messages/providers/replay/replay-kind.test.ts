import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ModelProvider } from '../../../../messages/index.ts';
import { withRecording } from '../../../../messages/providers/replay/with-recording.ts';
import { replayKind } from '../../../../messages/providers/replay/replay-kind.ts';
import { modelRequest, userSays } from '../../support.ts';
import { converse, options, script, SCRIPT, useFolder } from './support.ts';

const folder = useFolder();

function open(entry: object): ReturnType<typeof replayKind.open> {
  return replayKind.open({ type: 'replay', ...entry }, { name: 'tape', folder: folder() });
}

function provider(entry: object): ModelProvider {
  const opened = open(entry);
  if ('issues' in opened) throw new Error(JSON.stringify(opened.issues));
  return opened.provider;
}

const request = (model: string): ReturnType<typeof modelRequest> =>
  modelRequest({ model, messages: [userSays(SCRIPT)] });

it('one file answers for every model; its path starts at the providers file', async () => {
  const file = path.join(folder(), 'demo.jsonl');
  const { replies } = await converse(withRecording(script(), { file }));
  const tape = provider({ file: 'demo.jsonl' });
  expect(await tape.reply(request('anything'), options())).toEqual({ ...replies[0], model: 'anything' });
});

it('a folder holds one for each name', async () => {
  const { replies } = await converse(
    withRecording(script(), { file: path.join(folder(), 'tapes', 'demo.jsonl') }),
  );
  copyFileSync(path.join(folder(), 'tapes/demo.jsonl'), path.join(folder(), 'secret.jsonl'));
  const tapes = provider({ folder: 'tapes' });
  for (const model of ['replay:demo', 'demo', 'replay:demo.jsonl']) {
    expect(await tapes.reply(request(model), options())).toMatchObject({ content: replies[0]?.content });
  }
  for (const model of ['replay:other', 'replay:../secret', 'replay:..', 'replay:', 'replay:/etc/passwd']) {
    await expect(tapes.reply(request(model), options())).rejects.toMatchObject({
      name: 'ModelNotFoundError',
      status: 404,
    });
  }
});

it('a file that changes is read again', async () => {
  const file = path.join(folder(), 'demo.json');
  writeFileSync(file, '{"type":"recording","version":1,"turns":[]}');
  const tape = provider({ file });
  await expect(tape.reply(request('a'), options())).rejects.toMatchObject({
    message: "the recording 'a' has 0 replies to a conversation, and this request asks for one more",
  });
  const { replies } = await converse(withRecording(script(), { file: path.join(folder(), 'new.jsonl') }));
  copyFileSync(path.join(folder(), 'new.jsonl'), file);
  expect(await tape.reply(request('a'), options())).toMatchObject({ content: replies[0]?.content });
});

it.each([
  ['is not there', undefined, 'ENOENT'],
  ['is no recording', '{"type":"message"}', 'type: Invalid input'],
])('a file that %s is the server’s fault, without its path', async (_what, text, why) => {
  if (text !== undefined) writeFileSync(path.join(folder(), 'demo.json'), text);
  const asked = provider({ file: 'demo.json' }).reply(request('a'), options());
  await expect(asked).rejects.toMatchObject({
    type: 'api_error',
    retryable: false,
    message: expect.stringContaining(`the recording 'demo.json' cannot be used: ${why}`) as string,
  });
  expect(await asked.catch(String)).not.toContain(folder());
});

it('match and ignore are as the entry says', async () => {
  await converse(withRecording(script(), { file: path.join(folder(), 'demo.jsonl') }));
  const changed = modelRequest({ messages: [userSays(`${SCRIPT} `)] });
  await expect(provider({ file: 'demo.jsonl' }).reply(changed, options())).rejects.toMatchObject({
    name: 'ReplayMismatchError',
  });
  for (const entry of [{ match: 'shape' }, { ignore: [' +$'] }]) {
    const tape = provider({ file: 'demo.jsonl', ...entry });
    await expect(tape.reply(changed, options())).resolves.toMatchObject({ type: 'message' });
  }
});

it.each([
  [{}, 'file'],
  [{ file: 'a', folder: 'b' }, 'file'],
  [{ file: 'a', match: 'loose' }, 'match'],
  [{ file: 'a', ignore: ['('] }, 'ignore'],
])('an entry that is wrong is told where: %j', (entry, field) => {
  const opened = open(entry);
  expect('issues' in opened && opened.issues[0]?.path[0]).toBe(field);
});
