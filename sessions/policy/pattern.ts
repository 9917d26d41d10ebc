import { Program, type Step } from './pattern-program.ts';
import { parsePattern, PatternError, type PatternNode } from './pattern-syntax.ts';

/** Steps of a compiled pattern at most: with the longest text it bounds the time that a match can take. */
const MOST_STEPS = 1000;

/**
 * Compiles a pattern. A match takes time proportional to the length of the text times that of the pattern, whatever the two
 * are: all ways through the pattern are followed side by side, one character at a time, and none is tried twice.
 * @throws {PatternError} also for one that comes to more than 1,000 steps
 */
export function compilePattern(source: string): Program {
  const steps: Step[] = [];
  write(parsePattern(source), steps);
  steps.push({ kind: 'done' });
  return new Program(steps);
}

/** Writes the steps of a node; they fall through to whatever is written next. */
function write(node: PatternNode, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new PatternError(`a pattern of more than ${MOST_STEPS} steps`);
  switch (node.kind) {
    case 'char':
      steps.push(node);
      return;
    case 'sequence':
      for (const part of node.parts) write(part, steps);
      return;
    case 'choice': {
      const fork = steps.push({ kind: 'done' }) - 1;
      const starts: number[] = [];
      const ends: number[] = [];
      for (const part of node.parts) {
        starts.push(steps.length);
        write(part, steps);
        ends.push(steps.push({ kind: 'done' }) - 1);
      }
      steps[fork] = { kind: 'fork', next: starts };
      for (const end of ends) steps[end] = { kind: 'fork', next: [steps.length] };
      return;
    }
    case 'repeat': {
      for (let count = 0; count < node.least; count += 1) write(node.part, steps);
      if (node.most === null) {
        const fork = steps.push({ kind: 'done' }) - 1;
        write(node.part, steps);
        steps.push({ kind: 'fork', next: [fork] });
        steps[fork] = { kind: 'fork', next: [fork + 1, steps.length] };
        return;
      }
      const forks: number[] = [];
      for (let count = node.least; count < node.most; count += 1) {
        forks.push(steps.push({ kind: 'done' }) - 1);
        write(node.part, steps);
      }
      for (const fork of forks) steps[fork] = { kind: 'fork', next: [fork + 1, steps.length] };
      return;
    }
    default:
      steps.push({ kind: node.kind, next: steps.length + 1 });
  }
}
