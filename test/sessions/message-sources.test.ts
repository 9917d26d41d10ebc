import { base64Loader, createFiles, createSessions, loadMessages, readLog } from '../../sessions/index.ts';
import { projectLog } from '../../sessions/log/project.ts';
import { createIds } from '../../store/index.ts';
import { png } from '../messages/support.ts';
import { listed } from './listed.ts';
import { madeForAll } from '../support/opened.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { fromUser } from '../support/blocks.ts';

const PICTURE = png(12, 9);
const PDF = Buffer.from('%PDF-1.4 /Type /Page');

let agent: string;
const stores = temporaryStores();
const store = madeForAll(() => stores.open());
const files = madeForAll(() => createFiles({ store, newId: createIds() }));
const sessions = madeForAll(() => createSessions({ store }));
beforeAll(async () => {
  ({ id: agent } = await sessions.agents.create({ name: 'a', model: 'script' }));
});

async function upload(filename: string, mimeType: string, bytes: Uint8Array): Promise<string> {
  const received = await files.receive(
    (async function* () {
      yield bytes;
    })(),
  );
  return (await received.keep({ filename, mimeType, fields: {} })).id;
}

const fileBlock = (type: string, id: string): object => ({ type, source: { type: 'file', file_id: id } });
const says = (...content: object[]): object => ({ events: [{ type: 'user.message', content }] });

/** The conversation as the model is shown it. */
async function shown(session: string): Promise<unknown> {
  const messages = projectLog(await readLog(store, session));
  return await loadMessages(messages, base64Loader(store.blobs));
}

describe('a file in a message', () => {
  it('gives the bytes that it has when the message is accepted', async () => {
    const { id } = await sessions.create({ agent });
    const [picture, pdf, text] = [
      await upload('a.png', 'image/png', Buffer.from(PICTURE, 'base64')),
      await upload('a.pdf', 'application/pdf', PDF),
      await upload('a.txt', 'text/plain', Buffer.from('Grüße')),
    ];
    await sessions.events.send(
      id,
      says(
        fileBlock('image', picture),
        { ...fileBlock('document', pdf), title: 'A' },
        fileBlock('document', text),
      ),
    );
    for (const file of [picture, pdf, text]) await files.delete(file);
    expect(await shown(id)).toEqual([
      fromUser([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
        {
          type: 'document',
          title: 'A',
          source: { type: 'base64', media_type: 'application/pdf', data: PDF.toString('base64') },
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
      ]),
    ]);
  });

  it('may be among the events that a session begins with', async () => {
    const picture = await upload('a.png', 'image/png', Buffer.from(PICTURE, 'base64'));
    const initial_events = [{ type: 'user.message', content: [fileBlock('image', picture)] }];
    const { id } = await sessions.create({ agent, initial_events });
    expect(await shown(id)).toMatchObject([{ content: [{ source: { type: 'base64', data: PICTURE } }] }]);
  });

  it('that is not there, or is not what its block takes, is refused; nothing is appended', async () => {
    const { id } = await sessions.create({ agent });
    const text = await upload('a.txt', 'text/plain', Buffer.from('a'));
    const wrong = await upload('a.png', 'image/png', Buffer.from('no picture'));
    const wide = await upload('b.png', 'image/png', Buffer.from(png(9000, 9), 'base64'));
    const send = (...content: object[]): Promise<unknown> => sessions.events.send(id, says(...content));
    await expect(send(fileBlock('image', 'file_missing'))).rejects.toMatchObject({ status: 404 });
    await expect(send({ type: 'text', text: 'a' }, fileBlock('image', text))).rejects.toMatchObject({
      status: 400,
      message: `events.0.content.1.image.source.file.file_id: ${text} is text/plain; a block of type image takes image/jpeg, image/png, image/gif, image/webp`,
    });
    for (const file of [wrong, wide]) {
      await expect(send(fileBlock('image', file))).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/^events\.0\.content\.0\.image\.source/) as string,
      });
    }
    await expect(send({ type: 'image', source: { type: 'file' } })).rejects.toMatchObject({
      message: expect.stringContaining('file_id: Field required') as string,
    });
    expect(await shown(id)).toEqual([]);
  });
});

it('a message may hold search results, which the model and the client read as they came', async () => {
  const { id } = await sessions.create({ agent });
  const found = {
    type: 'search_result',
    source: 'https://example.com',
    title: 'There',
    content: [{ type: 'text', text: 'found' }],
    citations: { enabled: true },
  };
  const sent = await sessions.events.send(id, says(found, { type: 'text', text: 'Read it.' }));
  expect(sent.data).toMatchObject([{ content: [found, { type: 'text', text: 'Read it.' }] }]);
  expect(await shown(id)).toEqual([{ role: 'user', content: [found, { type: 'text', text: 'Read it.' }] }]);
});

describe('a system message', () => {
  const system = (text: string): object => ({ type: 'system.message', content: [{ type: 'text', text }] });
  const user = (text: string): object => ({ type: 'user.message', content: [{ type: 'text', text }] });
  const turn = (role: string, text: string): object => ({ role, content: [{ type: 'text', text }] });

  it('is a turn of its own behind what the user said before the next reply', async () => {
    const { id } = await sessions.create({ agent });
    const sent = await sessions.events.send(id, { events: [user('Hello'), system('It is late.')] });
    expect(sent.data).toMatchObject([{ type: 'user.message' }, { type: 'system.message' }]);
    expect(await shown(id)).toEqual([turn('user', 'Hello'), turn('system', 'It is late.')]);
  });

  it('that comes first waits for the user’s first words, as a conversation cannot begin with it', async () => {
    const { id } = await sessions.create({ agent });
    await sessions.events.send(id, { events: [system('Be brief.')] });
    expect(await shown(id)).toEqual([]);
    await sessions.events.send(id, { events: [user('Hello')] });
    expect(await shown(id)).toEqual([turn('user', 'Hello'), turn('system', 'Be brief.')]);
  });

  it('is listed by its type, and holds text alone', async () => {
    const { id } = await sessions.create({ agent });
    await sessions.events.send(id, { events: [system('Be brief.')] });
    const { data } = await listed(sessions, id, 'types[]=system.message');
    expect(data).toMatchObject([{ type: 'system.message', content: [{ text: 'Be brief.' }] }]);
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } };
    await expect(
      sessions.events.send(id, { events: [{ type: 'system.message', content: [picture] }] }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

it('a result of a self-hosted tool is refused with the reason', async () => {
  const { id } = await sessions.create({ agent });
  const event = { type: 'user.tool_result', tool_use_id: 'sevt_1', content: [] };
  await expect(sessions.events.send(id, { events: [event] })).rejects.toMatchObject({
    status: 400,
    message:
      'events.0: Tools of self-hosted environments are not run by clients yet: there is no work queue for their workers',
  });
});
