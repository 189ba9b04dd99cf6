import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationList } from './migrations.ts';

// Writes the generated files. With --check, only lists those that are out of date.

const root = join(import.meta.dirname, '..');

/** Writes a file. With --check, reports if it is out of date instead. */
function make(file: string, text: string): void {
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

// The list of migrations is written first, because the server imports it and the other files are generated
// from the server.
make('server/src/db/migrations/index.ts', migrationList());
const { generateClient } = await import('./client.ts');
const { commandPage } = await import('./commands.ts');
const { served } = await import('./served.ts');
const { tables } = await import('./tables.ts');

const document = JSON.parse(await served('/openapi.json'));
make('docs/tables.md', tables());
make('docs/operate/commands.md', commandPage());
make('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
if (!process.argv.includes('--check')) await generateClient(document);
