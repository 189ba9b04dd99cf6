import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Checks the built client against web/budget.json: bytes after Brotli, per language, for all scripts of the first
// page, the additional scripts for signed-in users, all styles, and each lazily loaded script. The budget is for
// English, the default language. Other languages may exceed it by a fraction, because their words are longer.

interface Built {
  part: 'first' | 'signedIn' | 'later' | 'style' | 'other' | 'before';
  /** The language of the text in the file; undefined for a file shared by several languages. */
  language?: string;
  bytes: number;
  br?: number;
}

const web = join(import.meta.dirname, '..', 'web');
const json = (...path: string[]) => JSON.parse(readFileSync(join(web, ...path), 'utf8'));
const { firstScripts, signedInScripts, styles, laterScript, otherLanguages } = json('budget.json');
const built = json('dist', 'manifest.json');
const languages: string[] = built.languages;
const files = Object.entries(built.files as Record<string, Built>);
const loaded = ({ br, bytes }: Built) => br ?? bytes;

/** Reports a part of the client that exceeds its budget. */
function weigh(what: string, bytes: number, most: number): void {
  if (bytes <= most) return;
  console.error(`${what}: ${bytes} bytes, more than the ${most} in web/budget.json`);
  process.exitCode = 1;
}

const sum = (part: Built['part'], tag?: string) =>
  files
    .filter(([, file]) => file.part === part && (file.language ?? tag) === tag)
    .reduce((total, [, file]) => total + loaded(file), 0);
for (const tag of languages) {
  const share = tag === languages[0] ? 1 : otherLanguages;
  weigh(`the scripts of the first page in "${tag}"`, sum('first', tag), firstScripts * share);
  weigh(`additional scripts for signed-in people in "${tag}"`, sum('signedIn', tag), signedInScripts * share);
}
weigh('the styles', sum('style'), styles);
for (const [name, file] of files) if (file.part === 'later') weigh(name, loaded(file), laterScript);
