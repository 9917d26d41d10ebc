import { toFile } from '@anthropic-ai/sdk';
import { existsSync } from 'node:fs';
import { productForAll } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say } from './support.ts';

/** Files that are mounted in a session's sandbox, and those that its agent leaves. */

const describeInBubblewrap = existsSync('/usr/bin/bwrap') ? describe : describe.skip;
const product = productForAll();

const upload = async (text: string, name: string): Promise<string> =>
  (await product.client.beta.files.upload({ file: await toFile(Buffer.from(text), name) })).id;

/** Newest first. */
const filesOf = async (id: string): Promise<{ id: string; name: string; path: unknown }[]> => {
  const { data } = await product.client.beta.files.list({ scope_id: id });
  return data.map((file) => ({ id: file.id, name: file.filename, path: (file as { path?: string }).path }));
};

describeInBubblewrap('the files of a session (needs bubblewrap)', () => {
  test('what is mounted is there before the first tool use, what is left becomes files', async () => {
    const { client } = product;
    const { agent, environment_id } = await prepare(client);
    const source = await upload('name,age\nAda,36\n', 'people.csv');
    const session = await client.beta.sessions.create({
      agent,
      environment_id,
      resources: [
        { type: 'file', file_id: source, mount_path: 'data.csv' },
        { type: 'file', file_id: source, mount_path: '/workspace/in/data.csv' },
        { type: 'file', file_id: source },
      ],
    });
    const [first, second, third] = session.resources as { file_id: string; mount_path: string; id: string }[];
    expect(session.resources).toMatchObject([
      { type: 'file', mount_path: '/mnt/session/uploads/data.csv' },
      { mount_path: '/mnt/session/uploads/workspace/in/data.csv' },
      { mount_path: `/mnt/session/uploads/${source}` },
    ]);
    expect(first?.file_id).not.toBe(source);
    // The session has copies of its own.
    await client.beta.files.delete(source);

    await say(
      client,
      session.id,
      `
- bash: cat /uploads/data.csv; cat ${second?.mount_path} ${third?.mount_path} | sha256sum | cut -c1-8
- bash: "for f in /mnt/session/uploads/data.csv /mnt/session/uploads/new; do echo x > $f; done; rm -rf /mnt/session/uploads/workspace; true"
  or_continue: true
- bash: cd /mnt/session/outputs; mkdir -p deep; echo one > deep/report.txt; echo same > kept.txt; mkfifo pipe; ln -s /etc/passwd link
`,
    );
    await idle(product, session.id);
    const [read, refused] = resultTexts(await events(client, session.id));
    expect(read).toContain('name,age\nAda,36\n');
    expect(refused).toContain('Read-only file system');
    const outputs = (await filesOf(session.id)).filter(({ path }) => path !== undefined);
    expect(outputs.map(({ name }) => name).sort()).toEqual(['kept.txt', 'report.txt']);
    const report = outputs.find(({ name }) => name === 'report.txt');
    expect(report?.path).toBe('/mnt/session/outputs/deep/report.txt');
    expect(await (await client.beta.files.download(report?.id ?? '')).text()).toBe('one\n');
    expect(await client.beta.files.retrieveMetadata(report?.id ?? '')).toMatchObject({
      downloadable: true,
      scope: { type: 'session', id: session.id },
    });
    expect((await client.beta.files.list()).data).toEqual([]);

    // Later: one is changed, one is not; one resource comes and one goes.
    const later = await upload('later', 'later.txt');
    const added = await client.beta.sessions.resources.add(session.id, { type: 'file', file_id: later });
    expect(added.mount_path).toBe(`/mnt/session/uploads/${later}`);
    await client.beta.sessions.resources.delete(first?.id ?? '', { session_id: session.id });
    await product.kill();
    await product.start();
    await say(
      product.client,
      session.id,
      `
- bash: cat ${added.mount_path}; ls /mnt/session/uploads
- bash: echo two > /mnt/session/outputs/deep/report.txt; touch /mnt/session/outputs/kept.txt
`,
    );
    await idle(product, session.id);
    expect(resultTexts(await events(product.client, session.id)).at(-2)).toBe(
      `later${source}\n${later}\nworkspace`,
    );
    const names = (await filesOf(session.id))
      .filter(({ path }) => path !== undefined)
      .map(({ name }) => name);
    expect(names.sort()).toEqual(['kept.txt', 'report.txt', 'report.txt']);
    const listed = await product.client.beta.sessions.resources.list(session.id);
    expect(new Set(listed.data.map((resource) => 'mount_path' in resource && resource.mount_path))).toEqual(
      new Set([`/mnt/session/uploads/${later}`, second?.mount_path, third?.mount_path]),
    );

    await product.client.beta.sessions.delete(session.id);
    expect(await filesOf(session.id)).toEqual([]);
    await expect(product.client.beta.files.retrieveMetadata(report?.id ?? '')).rejects.toThrow('not found');
  }, 360_000);
});

test('resources that cannot be are refused, and say why', async () => {
  const { client } = product;
  const { agent, environment_id } = await prepare(client);
  const id = await upload('x', 'x.txt');
  const refusal = async (...resources: unknown[]): Promise<string> =>
    client.beta.sessions.create({ agent, environment_id, resources: resources as never }).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  const file = { type: 'file', file_id: id };
  expect(await refusal({ ...file, mount_path: '../x' })).toContain(
    'resources.0.mount_path: the path must not lead',
  );
  expect(await refusal({ ...file, mount_path: '/' })).toContain('names no file');
  expect(await refusal(file, file)).toContain('mount_path: another resource is mounted there');
  expect(await refusal({ ...file, mount_path: 'a' }, { ...file, mount_path: 'a/b' })).toContain(
    'below another',
  );
  expect(await refusal({ type: 'file', file_id: 'file_none' })).toContain('File `file_none` not found.');
  expect(await refusal({ type: 'memory_store', memory_store_id: 'm' })).toContain(
    'Memory stores are not supported',
  );
  expect(await refusal({ type: 'github_repository', url: 'u' })).toContain(
    'Repositories are not mounted here',
  );
  const session = await client.beta.sessions.create({ agent, environment_id, resources: [file as never] });
  const [resource] = session.resources as { id: string }[];
  await expect(
    client.beta.sessions.resources.update(resource?.id ?? '', {
      session_id: session.id,
      authorization_token: 't',
    }),
  ).rejects.toThrow('only github_repository resources have one');
  await client.beta.sessions.delete(session.id);
});
