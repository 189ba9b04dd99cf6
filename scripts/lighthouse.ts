import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programOf } from '../test/support/programs.ts';
import { openCompany } from './company.ts';

// `npm run lighthouse` runs Lighthouse on the pages, emulating a phone and a desktop. Fails unless the scores for
// accessibility and best practices are perfect. npx downloads Lighthouse, because nothing else needs it.

const LIGHTHOUSE = 'lighthouse@13.5.0';
const FAULTLESS = ['accessibility', 'best-practices'];

interface Report {
  categories: Record<string, { title: string; score: number | null; auditRefs: { id: string }[] }>;
  audits: Record<string, { title: string; score: number | null; details?: { items?: unknown[] } }>;
}

const run = promisify(execFile);
const company = await openCompany();
const folder = mkdtempSync(join(tmpdir(), 'palaver-lighthouse-'));

/** Runs Lighthouse and returns the report for this URL, signed in as the owner if `isSignedIn`. */
async function reportOn(address: string, isSignedIn: boolean, isDesktop: boolean): Promise<Report> {
  const file = join(folder, 'report.json');
  const options = [
    '--output',
    'json',
    '--output-path',
    file,
    '--quiet',
    '--chrome-flags=--headless --no-sandbox',
  ];
  if (isSignedIn) options.push('--extra-headers', JSON.stringify({ cookie: `palaver=${company.session}` }));
  if (isDesktop) options.push('--preset=desktop');
  const env = {
    ...process.env,
    // Makes Lighthouse use this version of Node, too.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    CHROME_PATH: programOf('chromium', 'chromium-browser', 'google-chrome'),
  };
  for (let attempt = 1; ; attempt++)
    try {
      await run('npx', ['--yes', LIGHTHOUSE, address, ...options], { env });
      break;
    } catch (error) {
      // On a busy machine, Lighthouse sometimes misses the start of the page and asks to be run again.
      if (attempt === 3 || !String(error).includes('NO_NAVSTART')) throw error;
    }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Prints the scores on one line, then each failed audit. Returns whether the page passes. */
function show(path: string, form: string, { categories, audits }: Report): boolean {
  const scores = Object.values(categories).map(
    ({ title, score }) => `${title} ${score === null ? '–' : Math.round(score * 100)}`,
  );
  console.log(`${path} (${form}): ${scores.join(', ')}`);
  const faulty = Object.entries(categories).filter(
    ([id, { score }]) => id !== 'performance' && score !== null && score < 1,
  );
  for (const [, { auditRefs }] of faulty)
    for (const { id } of auditRefs) {
      const audit = audits[id];
      if (audit && audit.score !== null && audit.score < 1)
        console.log(
          `  ${id}: ${audit.title}\n    ${(JSON.stringify(audit.details?.items) ?? '').slice(0, 2000)}`,
        );
    }
  return faulty.every(([id]) => !FAULTLESS.includes(id));
}

const here = `/s/${company.serverId}/c/${company.channelId}`;
const publicPages = ['/sign-in', '/docs/start', '/docs/'];
const ownPages = [
  here,
  `${here}?thread=${company.threadId}`,
  `/s/${company.serverId}`,
  `/s/${company.serverId}/settings/keys`,
];
let isFaultless = true;
try {
  for (const path of [...publicPages, ...ownPages])
    for (const form of ['phone', 'desktop']) {
      const report = await reportOn(company.origin + path, ownPages.includes(path), form === 'desktop');
      isFaultless = show(path, form, report) && isFaultless;
    }
} finally {
  await company.close();
  rmSync(folder, { recursive: true, force: true });
}
if (!isFaultless) process.exitCode = 1;
