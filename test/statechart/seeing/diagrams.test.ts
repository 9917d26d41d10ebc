import { assign, createActor, createMachine, setup } from 'xstate';
import { z } from 'zod';
import { toDefinition, toEventSchemas, toMermaid, toScxml } from '../../../statechart/client/index.ts';

const machine = createMachine({
  id: 'player',
  initial: 'off',
  states: {
    off: { on: { POWER: 'on', 'RESUME <last>': 'on.back' } },
    on: {
      type: 'parallel',
      states: {
        sound: {
          initial: 'loud',
          states: {
            loud: { on: { MUTE: { target: 'mute', guard: 'isAllowed', actions: 'note' } } },
            mute: {},
          },
        },
        disc: {
          initial: 'loading',
          states: {
            loading: { invoke: { id: 'load', src: 'loader', onDone: 'spinning', onError: '#player.broken' } },
            spinning: { after: { 1000: 'over' } },
            over: { type: 'final' },
          },
        },
        back: { type: 'history', history: 'deep' },
      },
      on: { POWER: 'off' },
      onDone: 'off',
      entry: 'light',
    },
    broken: { type: 'final' },
  },
});

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** A parser of XML, as far as SCXML needs one; it throws for what is not well-formed. */
function parseXml(xml: string): Element {
  const root: Element = { tag: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const unescaped = (text: string): string =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  for (const [, closing, tag, rest = '', self, text] of xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(/<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<>]*")*)\s*(\/?)>|([^<>]+)/g)) {
    const top = open.at(-1);
    if (top === undefined) throw new Error('too many ends');
    if (text !== undefined) {
      top.text += unescaped(text.trim());
    } else if (closing === '/') {
      if (top.tag !== tag) throw new Error(`</${tag ?? ''}> ends <${top.tag}>`);
      open.pop();
    } else {
      const attributes = Object.fromEntries(
        [...rest.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
          name,
          unescaped(value),
        ]),
      );
      const element = { tag: tag ?? '', attributes, children: [], text: '' };
      top.children.push(element);
      if (self !== '/') open.push(element);
    }
  }
  if (open.length !== 1) throw new Error('an element has no end');
  return root;
}

const all = (element: Element): Element[] => element.children.flatMap((child) => [child, ...all(child)]);

test('SCXML reads back with its states, transitions, parallel, history, final and invocations', () => {
  const elements = all(parseXml(toScxml(machine)));
  const ids = (tag: string): unknown =>
    elements.filter((element) => element.tag === tag).map(({ attributes }) => attributes['id']);
  expect(elements[0]).toMatchObject({
    tag: 'scxml',
    attributes: { name: 'player', initial: 'player.off', version: '1.0' },
  });
  expect(ids('state')).toEqual([
    'player.off',
    'player.on.sound',
    'player.on.sound.loud',
    'player.on.sound.mute',
    'player.on.disc',
    'player.on.disc.loading',
    'player.on.disc.spinning',
  ]);
  expect(ids('parallel')).toEqual(['player.on']);
  expect(ids('final')).toEqual(['player.on.disc.over', 'player.broken']);
  expect(elements.find(({ tag }) => tag === 'history')?.attributes).toEqual({
    id: 'player.on.back',
    type: 'deep',
  });
  expect(elements.find(({ tag }) => tag === 'invoke')?.attributes).toEqual({ id: 'load', type: 'loader' });
  expect(elements.find(({ tag }) => tag === 'onentry')?.children[0]).toMatchObject({
    tag: 'script',
    text: 'light',
  });
  const transitions = elements
    .filter(({ tag }) => tag === 'transition')
    .map(({ attributes }) => [attributes['event'], attributes['target'], attributes['cond']]);
  expect(transitions).toEqual(
    expect.arrayContaining([
      ['POWER', 'player.on', undefined],
      ['RESUME <last>', 'player.on.back', undefined],
      ['MUTE', 'player.on.sound.mute', 'isAllowed'],
      ['done.invoke.load', 'player.on.disc.spinning', undefined],
      ['error.platform.load', 'player.broken', undefined],
      ['after.1000.player.on.disc.spinning', 'player.on.disc.over', undefined],
      ['done.state.player.on', 'player.off', undefined],
    ]),
  );
  // Every target is the id of an element.
  const known = new Set(elements.map(({ attributes }) => attributes['id']));
  for (const [, target] of transitions) expect(known).toContain(target);
});

test('Mermaid and the definition mark the active states', () => {
  const actor = createActor(machine.provide({ actors: {} as never })).start();
  const value = { on: { sound: 'loud', disc: 'loading' } };
  expect(toMermaid(machine, actor.getSnapshot())).toContain('class player_off active');
  expect(toMermaid(machine, value)).toContain(
    'class player_on, player_on_sound, player_on_sound_loud, player_on_disc, player_on_disc_loading active',
  );
  expect(toMermaid(machine)).not.toContain('classDef');
  expect(toMermaid(machine)).toContain('player_on_sound_loud --> player_on_sound_mute: MUTE [isAllowed]');
  const definition = toDefinition(machine, { value, state: 'on.sound.loud, on.disc.loading' } as never);
  expect(definition).toMatchObject({
    id: 'player',
    active: true,
    states: {
      off: { active: false },
      on: {
        active: true,
        states: { sound: { states: { loud: { active: true }, mute: { active: false } } } },
      },
    },
  });
  const { id, key, type, version, initial } = machine.definition;
  expect(toDefinition(machine)).toMatchObject(
    JSON.parse(JSON.stringify({ id, key, type, version, initial })) as object,
  );
});

test('the definition tells what JSON leaves out: always, names of functions, where a history leads', () => {
  function isReady(): boolean {
    return true;
  }
  const all = setup({}).createMachine({
    id: 'all',
    initial: 'a',
    states: {
      a: {
        always: { guard: isReady, target: 'b.back' },
        on: { go: { guard: () => true, target: 'b', actions: [assign({}), function tell() {}, () => {}] } },
      },
      b: { initial: 'c', states: { c: {}, back: { type: 'history', history: 'deep', target: 'c' } } },
    },
  });
  const { states } = toDefinition(all);
  expect(states['a']).toMatchObject({
    always: [{ eventType: '', guard: 'isReady', target: ['#all.b.back'] }],
    transitions: [
      {
        eventType: 'go',
        source: '#all.a',
        guard: '(inline)',
        actions: [{ type: 'xstate.assign' }, { type: 'tell' }, { type: '(inline)' }],
      },
    ],
  });
  expect(states['b']?.states['back']).toMatchObject({ history: 'deep', target: ['#all.b.c'] });
  expect(toScxml(all)).toContain('<transition target="all.b.c"/>');
});

test('schemas of events are told as JSON schemas where they have such a form', () => {
  const machine = setup({}).createMachine({ id: 'paid' });
  const pay = z.object({ type: z.literal('pay'), amount: z.number().min(1) });
  const events = { pay, wait: z.object({ until: z.date() }) };
  expect(toEventSchemas({ machine, events })).toEqual({
    pay: expect.objectContaining({
      type: 'object',
      properties: { type: { type: 'string', const: 'pay' }, amount: { type: 'number', minimum: 1 } },
      required: ['type', 'amount'],
    }) as unknown,
  });
  expect(toEventSchemas({ machine })).toEqual({});
});
