import { Allowance } from '../../../sandbox/daemon/disk-limit/disk-watch.ts';

/** Measures; the programs that write are ended when more is held than may be, as the watch does. */
function measure(allowance: Allowance, held: number): boolean {
  allowance.held = held;
  const { isOver } = allowance;
  allowance.settle(isOver);
  return isOver;
}

test('who holds more than the limit may delete and not add, but for what a new desktop writes', () => {
  const files = new Allowance(100, 5);
  expect([measure(files, 100), measure(files, 101)]).toEqual([false, true]);
  expect([measure(files, 106), measure(files, 107)]).toEqual([false, true]);
  expect([measure(files, 103), measure(files, 108), measure(files, 109)]).toEqual([false, false, true]);
});

test('who is within the limit again has no margin', () => {
  const files = new Allowance(100, 5);
  measure(files, 120);
  expect([measure(files, 99), measure(files, 101)]).toEqual([false, true]);
});
