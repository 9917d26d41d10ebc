/** SCXML documents as XState machines, as far as the cases need it. */
import type { AnyStateMachine } from 'xstate';
import {
  assign,
  cancel,
  enqueueActions,
  log,
  machine,
  not,
  raise,
  sendTo,
  stateIn,
  type Args,
  type Guard,
  type Sent,
  type State,
} from '../behaviour/dialect.ts';
import type { ScxmlElement } from './scxml-case.ts';

type Action = ReturnType<typeof raise>;

/** The documents' seconds would make the test slow. */
const SCALE = 10;

export const scaled = (ms: number): number => Math.max(1, Math.round(ms / SCALE));

/** @throws Error for an element that is not among those of the cases. */
export function toMachine(scxml: ScxmlElement): AnyStateMachine {
  const data = below(scxml, 'datamodel').flatMap((model) => below(model, 'data'));
  const context = Object.fromEntries(
    data.map(({ attributes = {} }) => {
      const { id = '', expr } = attributes;
      return [id, expr === undefined || expr === '_sessionid' ? undefined : evaluate(expr)];
    }),
  );
  return machine({ ...toState(scxml, '(machine)'), ...(data.length === 0 ? {} : { context }) });
}

const STATES = ['state', 'parallel', 'final', 'history'];

function toState(element: ScxmlElement, id: string): State {
  const { name, attributes = {}, elements = [] } = element;
  if (name === 'history') return toHistory(element, id);
  const states = elements.filter((one) => STATES.includes(one.name));
  const transitions = below(element, 'transition');
  const entry = below(element, 'onentry').flatMap(({ elements: content = [] }) => content.map(toAction));
  const exit = below(element, 'onexit').flatMap(({ elements: content = [] }) => content.map(toAction));
  const invoke = below(element, 'invoke').map(toInvoke);
  const always = transitions.filter((one) => one.attributes?.['event'] === undefined).map(toTransition);
  const named = transitions.flatMap((one) =>
    (one.attributes?.['event'] ?? '')
      .split(/\s+/)
      .filter((type) => type !== '')
      .map((type) => [descriptor(type), toTransition(one)] as const),
  );
  const on = Object.fromEntries(
    [...new Set(named.map(([type]) => type))].map((type) => [
      type,
      named.filter(([other]) => other === type).map(([, transition]) => transition),
    ]),
  );
  const [initial] = below(element, 'initial');
  const first =
    attributes['initial'] ??
    (initial === undefined ? undefined : below(initial, 'transition')[0]?.attributes?.['target']) ??
    states[0]?.attributes?.['id'];
  return {
    id: key(id),
    on,
    ...(name === 'parallel' ? { type: 'parallel' as const } : {}),
    ...(name === 'final' ? { type: 'final' as const } : {}),
    ...(name === 'parallel' || first === undefined ? {} : { initial: key(first) }),
    ...(states.length === 0
      ? {}
      : {
          states: Object.fromEntries(
            states.map((child) => {
              const own = child.attributes?.['id'] ?? '';
              return [key(own), toState(child, own)];
            }),
          ),
        }),
    ...(always.length === 0 ? {} : { always }),
    ...(entry.length === 0 ? {} : { entry }),
    ...(exit.length === 0 ? {} : { exit }),
    ...(invoke.length === 0 ? {} : { invoke }),
  };
}

function toHistory(element: ScxmlElement, id: string): State {
  const target = below(element, 'transition')[0]?.attributes?.['target'];
  return {
    id: key(id),
    type: 'history',
    history: element.attributes?.['type'] === 'deep' ? 'deep' : 'shallow',
    ...(target === undefined ? {} : { target: `#${key(target)}` }),
  };
}

function toTransition({ attributes = {}, elements = [] }: ScxmlElement): {
  target?: readonly string[];
  guard?: Guard;
  reenter?: boolean;
  actions: Action[];
} {
  const { target, cond, type } = attributes;
  return {
    ...(target === undefined ? {} : { target: target.split(/\s+/).map((one) => `#${key(one)}`) }),
    ...(cond === undefined ? {} : { guard: toGuard(cond) }),
    ...(type === 'internal' ? {} : { reenter: true }),
    actions: elements.map(toAction),
  };
}

function toGuard(cond: string): Guard {
  const [, no, state] = /^(!?)In\('(.*)'\)$/.exec(cond.trim()) ?? [];
  if (state !== undefined) return no === '!' ? not(stateIn(`#${key(state)}`)) : stateIn(`#${key(state)}`);
  return (args: Args) => Boolean(evaluate(cond, args));
}

function toInvoke({ attributes = {}, elements = [] }: ScxmlElement): { id?: string; src: AnyStateMachine } {
  const [content] = elements.filter(({ name }) => name === 'content');
  const [scxml] = content?.elements ?? [];
  if (scxml === undefined) throw new Error('an invocation without a document in it');
  return { ...(attributes['id'] === undefined ? {} : { id: attributes['id'] }), src: toMachine(scxml) };
}

function toAction(element: ScxmlElement): Action {
  const { name, attributes = {}, text = '' } = element;
  switch (name) {
    case 'raise':
      return raise({ type: attributes['event'] ?? '' });
    case 'assign': {
      const { location = '', expr = 'undefined' } = attributes;
      return assign((args: Args) => ({ [location]: evaluate(expr, args) }));
    }
    case 'script':
      return assign((args: Args) => changed(text, args));
    case 'cancel': {
      const { sendid, sendidexpr = '' } = attributes;
      return cancel(sendid ?? ((args: Args) => String(evaluate(sendidexpr, args))));
    }
    case 'send':
      return toSend(element);
    case 'log':
      return log((args: Args) => evaluate(attributes['expr'] ?? '""', args));
    case 'if':
      return toBranches(element);
    default:
      throw new Error(`the element '${name}' is not known`);
  }
}

function toSend({ attributes = {}, elements = [] }: ScxmlElement): Action {
  const { event, eventexpr = '""', target, id, delay, delayexpr } = attributes;
  const sent = (args: Args): Sent => ({
    type: event ?? String(evaluate(eventexpr, args)),
    ...Object.fromEntries(
      elements.map(({ attributes: param = {} }) => [
        param['name'] ?? '',
        evaluate(param['expr'] ?? 'undefined', args),
      ]),
    ),
  });
  if (target === '#_internal') return raise(sent);
  return sendTo(target ?? (({ self }) => self), sent, {
    ...(id === undefined ? {} : { id }),
    ...(delay === undefined ? {} : { delay: milliseconds(delay) }),
    ...(delayexpr === undefined
      ? {}
      : { delay: (args: Args) => milliseconds(String(evaluate(delayexpr, args))) }),
  });
}

function toBranches({ attributes = {}, elements = [] }: ScxmlElement): Action {
  const branches: { cond: string | undefined; actions: Action[] }[] = [
    { cond: attributes['cond'], actions: [] },
  ];
  for (const element of elements) {
    if (element.name === 'elseif') branches.push({ cond: element.attributes?.['cond'], actions: [] });
    else if (element.name === 'else') branches.push({ cond: undefined, actions: [] });
    else branches.at(-1)?.actions.push(toAction(element));
  }
  return enqueueActions(({ enqueue, context, event, self, system }) => {
    const args = { context, event, self, system };
    const taken = branches.find(({ cond }) => cond === undefined || Boolean(evaluate(cond, args)));
    for (const action of taken?.actions ?? []) enqueue(action);
  });
}

const below = ({ elements = [] }: ScxmlElement, name: string): readonly ScxmlElement[] =>
  elements.filter((element) => element.name === name);

/** XState takes a dot for a way down. */
const key = (id: string): string => id.replaceAll('.', '$');

/** SCXML matches by the words that an event's name begins with. */
function descriptor(type: string): string {
  const own = type
    .replace(/^done\.state(?=\.|$)/, 'xstate.done.state')
    .replace(/^done\.invoke(?=\.|$)/, 'xstate.done.actor');
  return own === '*' || own.endsWith('.*') ? own : `${own}.*`;
}

/** `1s`, `.5s`, `100ms`. */
function milliseconds(delay: string): number {
  const [, number = '', unit] = /^([\d.]+)(m?s)$/.exec(delay.trim()) ?? [];
  if (unit === undefined) throw new Error(`no delay: ${delay}`);
  return scaled(Number(number) * (unit === 's' ? 1000 : 1));
}

type Evaluation = (data: object, event: object) => unknown;

const scoped = (body: string): Evaluation =>
  // The documents are written in a language that names its variables like this.
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('$data', '_event', `const _sessionid = undefined; with ($data) { ${body} }`) as Evaluation;

function evaluate(expression: string, args?: Args): unknown {
  const event = args === undefined ? {} : { name: args.event.type, data: args.event };
  return scoped(`return (${expression});`)(args?.context ?? {}, event);
}

/** The variables after a script that changes some of them. */
function changed(script: string, { context, event }: Args): Record<string, unknown> {
  const data = { ...context };
  scoped(script)(data, { name: event.type, data: event });
  return data;
}
