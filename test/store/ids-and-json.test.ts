import { assertProperty, fc } from '../support/fast-check.ts';
import { canonicalJson, createIds, eventId, type NewId } from '../../store/index.ts';

describe('ids', () => {
  it('carry a prefix, sort by time and do not repeat', () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const newId = createIds(() => (now += 1));
    const ids = Array.from({ length: 1000 }, () => newId('sesn'));
    expect(ids[0]).toMatch(/^sesn_[1-9A-HJ-NP-Za-km-z]{24}$/);
    expect(ids.toSorted()).toEqual(ids);
    const same = createIds(() => 0);
    const made = Array.from({ length: 1000 }, () => same('x'));
    expect(new Set(made).size).toBe(1000);
    expect(made.toSorted()).toEqual(made);
  });

  it('are the same for the same time and chance', () => {
    const source = (): NewId =>
      createIds(
        () => 1,
        (size) => new Uint8Array(size),
      );
    const newId = source();
    expect(newId('env')).toBe('env_111111121111111111111111');
    expect(newId('env')).toBe('env_111111121111111111111112');
    expect(source()('env')).toBe('env_111111121111111111111111');
  });

  it('of events tell session, key and index apart', () => {
    const ids = [
      eventId('a', 'b', 0),
      eventId('a', 'b', 1),
      eventId('ab', '', 0),
      eventId('', 'ab', 0),
      eventId('a"', 'b', 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('canonical JSON', () => {
  it('spells equal values alike and loses nothing', () => {
    assertProperty(100, fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    });
    expect(canonicalJson({ b: [1, { d: 1, c: undefined }], a: 'é' })).toBe('{"a":"é","b":[1,{"d":1}]}');
    expect(canonicalJson(JSON.parse('{"z":1,"__proto__":2}'))).toBe('{"__proto__":2,"z":1}');
  });
});
