import fs from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core gives; only what is read here. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/**
 * What is wrong for people with screen readers, keyboards or weak eyes: a line for each element; none is right.
 * @param within a selector of the part of the page that is looked at; by default all of it
 */
export async function accessibilityFaults(page: Page, within?: string): Promise<string[]> {
  // What is still fading in has colours of its own; what moves without end has none.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
  // Its source is half a megabyte, and the page keeps it until it is left.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (part) => {
    const { axe } = window as unknown as {
      axe: { run: (part: string | Document, options: object) => Promise<{ violations: Violation[] }> };
    };
    return (await axe.run(part ?? document, { resultTypes: ['violations'] })).violations;
  }, within);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
