import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Checks that no file has more than MAX_LINES lines, except files that are generated.

const MAX_LINES = 300;

const root = join(import.meta.dirname, '..');
const long = ['server', 'client/src', 'web', 'test', 'bench', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter(
    (file) => /\.(tsx?|js|mjs|css)$/.test(file) && !/\/(node_modules|dist|dist-react|generated)\//.test(file),
  )
  .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }))
  .filter(({ lines }) => lines > MAX_LINES);

for (const { file, lines } of long)
  console.error(`${file} has ${lines} lines, more than ${MAX_LINES}: split it`);
process.exitCode = long.length > 0 ? 1 : 0;
