import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** How a page is checked with axe. */
interface Look {
  /** The part of the page to check, as a CSS selector. The whole page by default. */
  within?: string;
  /** True to check only the rules about colours, because only the theme changes between two checks of a page. */
  coloursAlone?: boolean;
}

const themes = ['light', 'dark'] as const;
/** The axe rules that read colours. */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/**
 * Elements have no final contrast while they fade. A fade starts with the frame that shows the result of the last
 * click, and may start another. The fade of an element that isn't rendered, such as one in a closed `<details>`,
 * never ends.
 */
const settled = `(async () => {
  const isFading = ({ effect, playState }) =>
    playState === 'running' && effect.getTiming().iterations === 1 && effect.target.checkVisibility();
  do {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  } while (document.getAnimations().some(isFading));
})()`;

/** The axe violations in a page of the web client, or in a part of it, one per line. */
export async function violationsIn(page: Page, look: Look = {}): Promise<string[]> {
  await page.evaluate(settled);
  return violationsNow(page, look);
}

/**
 * Like `violationsIn`, but in both themes, in a page without fades: all rules in the current theme, and only colours
 * in the dark one.
 */
export async function violationsInBoth(page: Page, { within }: Look): Promise<string[]> {
  const found = await violationsNow(page, { within });
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
  const dark = await violationsNow(page, { within, coloursAlone: true });
  await page.evaluate('delete document.documentElement.dataset.theme');
  return [...found, ...dark.map((one) => `dark: ${one}`)];
}

/** Like `violationsIn`, but without waiting, in a page without fades. */
export async function violationsNow(
  page: Page,
  { within = 'html', coloursAlone = false }: Look = {},
): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  // Without `resultTypes`, axe would also describe every element that passes.
  const options = {
    resultTypes: ['violations'],
    ...(coloursAlone
      ? { runOnly: aboutColours }
      : { rules: { 'label-content-name-mismatch': { enabled: true } } }),
  };
  const violations: Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * Like `violationsIn`, but in both themes: all rules in the light theme, and only colours in the dark one. Each line
 * names its theme. The page stays in the dark theme.
 */
export async function violationsInThemes(page: Page, within = 'html'): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const coloursAlone = colorScheme !== themes[0];
    const violations = await violationsIn(page, { within, coloursAlone });
    found.push(...violations.map((one) => `${colorScheme}: ${one}`));
  }
  return found;
}
