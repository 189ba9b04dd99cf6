import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientFiles } from './client.ts';
import { commandPage } from './commands.ts';
import { collectionOf } from './postman/collection.ts';
import { served } from './served.ts';
import { tables } from './tables.ts';

// Writes the documents that are generated from the code. With --check, only lists those that are out of date.

const root = join(import.meta.dirname, '..');
const document = JSON.parse(await served('/openapi.json'));
const made: Record<string, string> = {
  'docs/tables.md': tables(),
  'docs/operate/commands.md': commandPage(),
  'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'docs/palaver.postman_collection.json': `${JSON.stringify(collectionOf(document), null, 2)}\n`,
  ...(await clientFiles(document)),
};

for (const [file, text] of Object.entries(made)) {
  const path = join(root, file);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (read(path) !== text) {
    console.error(`${file} is out of date: run "npm run generate"`);
    process.exitCode = 1;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
