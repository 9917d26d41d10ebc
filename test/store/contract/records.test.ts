import { NotStoredError, VersionConflictError } from '../../../store/index.ts';
import { describeStores, newSession } from '../temporary-store.ts';

describeStores((stores) => {
  it('an agent has versions without gaps, of which lists show the newest', async () => {
    const store = await stores.open({ now: () => 0 });
    const { agents } = store;
    await expect(agents.put('agent_1', 2, {})).rejects.toThrow(VersionConflictError);
    expect(await agents.put('agent_1', 1, { name: 'First' })).toEqual({
      id: 'agent_1',
      version: 1,
      created_at: '1970-01-01T00:00:00.000Z',
      updated_at: '1970-01-01T00:00:00.000Z',
      archived_at: null,
      data: { name: 'First' },
    });
    await expect(agents.put('agent_1', 1, {})).rejects.toThrow('version 1 of agent_1 exists already');
    const tries = await Promise.allSettled(
      [2, 2, 2].map((version) => agents.put('agent_1', version, { name: 'Second' })),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await agents.list({ limit: 9 })).map(({ version }) => version)).toEqual([2]);
    expect((await agents.versions('agent_1', 9)).map(({ version }) => version)).toEqual([2, 1]);
    expect((await agents.versions('agent_1', 9, 2)).map(({ version }) => version)).toEqual([1]);
    expect((await agents.get('agent_1', 1))?.data).toEqual({ name: 'First' });
    expect(await agents.get('agent_1', 2 ** 40)).toBeUndefined();
    await agents.archive('agent_1');
    expect(await agents.list({ limit: 9 })).toEqual([]);
    await expect(agents.archive('agent_2')).rejects.toThrow(NotStoredError);
  });

  it('is found by a part of its name in any case, or by the beginning of its id', async () => {
    const { environments } = await stores.open();
    await environments.insert('env_1', { name: 'Blue 100%_' });
    await environments.insert('env_2', { name: 'green' });
    await environments.insert('env_3', {});
    const ids = async (search: string): Promise<readonly string[]> =>
      (await environments.list({ limit: 9, order: 'asc', search })).map(({ id }) => id);
    expect(await ids('bLUE')).toEqual(['env_1']);
    expect(await ids('%_')).toEqual(['env_1']);
    expect(await ids('env_')).toEqual(['env_1', 'env_2', 'env_3']);
    expect(await ids('ENV_')).toEqual([]);
    expect(await ids('\0')).toEqual([]);
  });

  it('an environment is replaced by who knows what is in it', async () => {
    const { environments } = await stores.open();
    await environments.insert('env_1', { a: 1 });
    expect((await environments.insert('env_1', { b: 2 })).data).toEqual({ a: 1 });
    expect((await environments.update('env_1', { a: 1 }, { a: 2 }))?.data).toEqual({ a: 2 });
    expect(await environments.update('env_1', { a: 1 }, { a: 3 })).toBeUndefined();
    expect(await environments.delete('env_1')).toBe(true);
    expect(await environments.delete('env_1')).toBe(false);
  });

  it('sessions are listed by their time, from a place, with those that fit', async () => {
    let now = Date.parse('2026-01-01T00:00:00.000Z');
    const { sessions } = await stores.open({ now: () => now });
    for (const n of [1, 2, 3, 4, 5]) {
      now += n % 2 === 0 ? 0 : 1000;
      const data = { environment_id: n < 4 ? 'env_1' : 'env_2' };
      await sessions.insert({ id: `sesn_${n}`, agent_id: 'agent_1', agent_version: n, status: 'idle', data });
    }
    await sessions.update('sesn_2', () => ({ status: 'running' }));
    await sessions.update('sesn_3', () => ({ archived_at: '2026-02-01T00:00:00.000Z' }));
    const ids = async (request: object): Promise<string> =>
      (await sessions.list({ limit: 9, ...request })).map(({ id }) => id.slice(-1)).join('');
    expect(await ids({})).toBe('5421');
    expect(await ids({ includeArchived: true, order: 'asc', limit: 3 })).toBe('123');
    expect(await ids({ environmentId: 'env_1' })).toBe('21');
    expect(await ids({ agentVersion: 4 })).toBe('4');
    expect(await ids({ agentVersion: 2 ** 40 })).toBe('');
    expect(await ids({ statuses: ['running', 'other'] })).toBe('2');
    expect(await ids({ statuses: [] })).toBe('');
    expect(await ids({ createdAt: { gt: '2026-01-01T00:00:01.000Z' } })).toBe('54');
    const place = await sessions.get('sesn_4');
    expect(await ids({ after: { created_at: place?.created_at, id: place?.id } })).toBe('21');
    await expect(sessions.update('sesn_9', () => ({}))).rejects.toThrow(NotStoredError);
  });

  it('a session’s secrets come back byte for byte, and go with it', async () => {
    const { sessions } = await stores.open();
    const sealed = Uint8Array.from([0, 255, 1, 128]);
    const record = { id: 'sesn_1', agent_id: 'agent_1', agent_version: 1, status: 'idle', data: {} };
    const created = await sessions.insert(
      record,
      { key: 'first', events: [{ type: 't', payload: {} }] },
      sealed,
    );
    expect(created).toMatchObject({ duplicate: false, cursor: 1 });
    expect(Buffer.from((await sessions.sealed('sesn_1')) ?? [])).toEqual(Buffer.from(sealed));
    await expect(sessions.insert(record)).rejects.toThrow(/UNIQUE|duplicate key/);
    await sessions.delete('sesn_1');
    expect(await sessions.sealed('sesn_1')).toBeUndefined();
  });

  it('what no id can be is not there', async () => {
    const store = await stores.open();
    await newSession(store);
    for (const id of ['', '\0', 'sesn_1\0', '\ud800', "'; --"]) {
      expect(await store.sessions.get(id)).toBeUndefined();
      expect(await store.files.get(id)).toBeUndefined();
      expect(await store.events.find('sesn_1', id)).toBeUndefined();
      expect(await store.events.read({ session: 'sesn_1', ids: [id] })).toEqual([]);
      expect(await store.sessions.delete(id)).toBe(false);
    }
  });
});
