import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, promisesIn, promisesOf, textOf } from './promises.ts';

// Compares the OpenAPI document with the promises of the last release, and lists breaking changes. With --release,
// writes the promises of the current document, for the release being prepared. The arguments are the document and the
// file with the promises.

const root = join(import.meta.dirname, '..');
const isRelease = process.argv.includes('--release');
const [document = join(root, 'docs', 'openapi.json'), file = join(root, 'scripts', 'promises.txt')] =
  process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const now = promisesOf(JSON.parse(readFileSync(document, 'utf8')));
if (isRelease) writeFileSync(file, textOf(now));

const today = new Date().toISOString().slice(0, 10);
const changes = broken(promisesIn(readFileSync(file, 'utf8')), now, today);
for (const change of changes) console.error(change);
if (changes.length > 0) {
  console.error('\nThese changes break clients: see docs/api/conventions.md');
  process.exitCode = 1;
}
