import { readKeys, splitKeys } from '../../../sandbox/tools/computer/key-names.ts';

test.each<[text: string, keys: string[]]>([
  ['Return', ['Return']],
  ['Down Down Up', ['Down', 'Down', 'Up']],
  ['  ctrl+a\n Delete ', ['ctrl+a', 'Delete']],
  ['Ctrl+Shift+T', ['ctrl+shift+T']],
  ['CTRL+ALT+DELETE', ['ctrl+alt+Delete']],
  ['Enter', ['Return']],
  ['ArrowDown PageUp Page_Down Esc', ['Down', 'Prior', 'Next', 'Escape']],
  ['cmd+space', ['super+space']],
  ['f5 F12', ['F5', 'F12']],
  ['ctrl++', ['ctrl+plus']],
  ['+', ['plus']],
  ['ctrl+-', ['ctrl+minus']],
  ['?', ['question']],
  ['é', ['U00E9']],
  ['😀', ['U1F600']],
  ['KP_0 alt+Tab XF86AudioMute', ['KP_0', 'alt+Tab', 'XF86AudioMute']],
  ['a A 1', ['a', 'A', '1']],
  ['', []],
])('%j', (text, keys) => {
  expect(readKeys(text)).toEqual(keys);
});

test('the reference leaves names as they are', () => {
  expect(splitKeys('Ctrl+PageDown Enter')).toEqual(['Ctrl+PageDown', 'Enter']);
});
