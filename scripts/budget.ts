import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The built client stays within web/budget.json, in bytes as browsers load them, which is with Brotli: all scripts of the first page
// together, those that somebody who is signed in needs beside them, all styles, and each script that comes later.

interface Built {
  part: 'first' | 'signedIn' | 'later' | 'style' | 'other' | 'before';
  bytes: number;
  br?: number;
}

const web = join(import.meta.dirname, '..', 'web');
const json = (...path: string[]) => JSON.parse(readFileSync(join(web, ...path), 'utf8'));
const { firstScripts, signedInScripts, styles, laterScript } = json('budget.json');
const files = Object.entries(json('dist', 'manifest.json').files as Record<string, Built>);
const loaded = ({ br, bytes }: Built) => br ?? bytes;

/** Says so if there are more bytes than may be. */
function weigh(what: string, bytes: number, most: number): void {
  if (bytes <= most) return;
  console.error(`${what}: ${bytes} bytes, more than the ${most} of web/budget.json`);
  process.exitCode = 1;
}

const sum = (part: Built['part']) =>
  files.reduce((total, [, file]) => total + (file.part === part ? loaded(file) : 0), 0);
weigh('the scripts of the first page', sum('first'), firstScripts);
weigh('the scripts of a signed-in person beside them', sum('signedIn'), signedInScripts);
weigh('the styles', sum('style'), styles);
for (const [name, file] of files) if (file.part === 'later') weigh(name, loaded(file), laterScript);
