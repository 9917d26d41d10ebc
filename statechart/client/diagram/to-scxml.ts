import type { AnyStateMachine, StateNode } from 'xstate';
import { historyTarget } from '../../core/definition-json.ts';
import { guardName } from '../../core/guard-name.ts';

interface Transition {
  readonly eventType: string;
  readonly target?: readonly StateNode[];
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
  readonly reenter: boolean;
}

/**
 * A machine as SCXML. States, transitions, parallel states, history, final states and invocations are SCXML's own; what
 * JavaScript does, guards, actions and delays, stands as its name in `cond`, in `<script>` and in the event's name, and a source
 * in the `type` of an `<invoke>`.
 */
export function toScxml(machine: AnyStateMachine): string {
  const root = machine.root as unknown as StateNode;
  const { version } = machine as { readonly version?: string };
  const initial = initialOf(root);
  const open = [
    '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"',
    attribute('name', machine.id),
    ...(version === undefined
      ? []
      : [attribute('xmlns:s', 'urn:steadyhand:statechart'), attribute('s:version', version)]),
    // A root that is parallel, or that does something itself, is a state of its own in SCXML.
    attribute('initial', isPlainRoot(root) ? (initial ?? '') : root.id),
  ].join(' ');
  const body = isPlainRoot(root)
    ? Object.values(root.states).flatMap((child) => element(child as unknown as StateNode, '  '))
    : element(root, '  ');
  return ['<?xml version="1.0" encoding="UTF-8"?>', `${open}>`, ...body, '</scxml>', ''].join('\n');
}

function element(node: StateNode, indent: string): string[] {
  const inner = `${indent}  `;
  if (node.type === 'history') {
    const target = historyTarget(node);
    const transition = target === undefined ? [] : [`${inner}<transition ${attribute('target', target)}/>`];
    const open = `<history ${attribute('id', node.id)} ${attribute('type', node.history === 'deep' ? 'deep' : 'shallow')}`;
    return transition.length === 0
      ? [`${indent}${open}/>`]
      : [`${indent}${open}>`, ...transition, `${indent}</history>`];
  }
  const tag = node.type === 'parallel' ? 'parallel' : node.type === 'final' ? 'final' : 'state';
  const initial = tag === 'state' ? initialOf(node) : undefined;
  const open = `${tag} ${attribute('id', node.id)}${initial === undefined ? '' : ` ${attribute('initial', initial)}`}`;
  const content = [
    ...actions('onentry', node.entry, inner),
    ...actions('onexit', node.exit, inner),
    ...node.invoke.map(
      ({ id, src }) =>
        `${inner}<invoke ${attribute('id', id)} ${attribute('type', typeof src === 'string' ? src : '(inline)')}/>`,
    ),
    ...transitionsOf(node).flatMap((transition) => edge(transition, inner)),
    ...Object.values(node.states).flatMap((child) => element(child as unknown as StateNode, inner)),
  ];
  return content.length === 0
    ? [`${indent}<${open}/>`]
    : [`${indent}<${open}>`, ...content, `${indent}</${tag}>`];
}

function edge({ eventType, target, guard, actions: run, reenter }: Transition, indent: string): string[] {
  const event = scxmlEvent(eventType);
  const attributes = [
    ...(event === '' ? [] : [attribute('event', event)]),
    ...(guard === undefined ? [] : [attribute('cond', guardName(guard))]),
    ...(target === undefined || target.length === 0
      ? []
      : [
          attribute('target', target.map(({ id }) => id).join(' ')),
          attribute('type', reenter ? 'external' : 'internal'),
        ]),
  ].join(' ');
  const open = attributes === '' ? 'transition' : `transition ${attributes}`;
  const content = scripts(run, `${indent}  `);
  return content.length === 0
    ? [`${indent}<${open}/>`]
    : [`${indent}<${open}>`, ...content, `${indent}</transition>`];
}

/** SCXML's own names of the events by which a machine hears of its states and invocations. */
const scxmlEvent = (type: string): string =>
  type
    .replace(/^xstate\.done\.actor\.(.*)$/, 'done.invoke.$1')
    .replace(/^xstate\.error\.actor\.(.*)$/, 'error.platform.$1')
    .replace(/^xstate\.done\.state\.(.*)$/, 'done.state.$1')
    .replace(/^xstate\.after\./, 'after.');

function actions(tag: 'onentry' | 'onexit', run: readonly unknown[], indent: string): string[] {
  const content = scripts(run, `${indent}  `);
  return content.length === 0 ? [] : [`${indent}<${tag}>`, ...content, `${indent}</${tag}>`];
}

const scripts = (run: readonly unknown[], indent: string): string[] =>
  run.map((action) => `${indent}<script>${escaped(guardName(action))}</script>`);

function transitionsOf(node: StateNode): readonly Transition[] {
  return [
    ...[...node.transitions.values()].flat(),
    ...(node.always ?? []),
  ] as unknown as readonly Transition[];
}

const initialOf = (node: StateNode): string | undefined =>
  Object.keys(node.states).length === 0 || node.type === 'parallel' ? undefined : node.initial.target[0]?.id;

const isPlainRoot = (root: StateNode): boolean =>
  root.type === 'compound' &&
  transitionsOf(root).length === 0 &&
  root.invoke.length === 0 &&
  root.entry.length === 0 &&
  root.exit.length === 0;

const attribute = (name: string, value: string): string => `${name}="${escaped(value)}"`;

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
