import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/**
 * Elements that fade have no contrast yet. A fade begins with the frame that shows what the last click has changed, and may begin
 * another.
 */
const settled = `(async () => {
  const fades = () => document.getAnimations()
    .filter(({ effect, playState }) => effect.getTiming().iterations === 1 && playState === 'running');
  do {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(fades().map(({ finished }) => finished));
  } while (fades().length > 0);
})()`;

/** What axe complains of in a page of the web client, or in a part of it, a line each. */
export async function violationsIn(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(settled);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const violations: Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
