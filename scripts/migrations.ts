import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../server/src/db/migrations');

/** Lists the migrations in their folder. Throws an Error if a number is missing or duplicated. */
export function migrationList(): string {
  const files = readdirSync(folder)
    .filter((name) => name !== 'index.ts')
    .sort();
  const rows = files.map((file, index) => {
    const [, number, name] = /^(\d{4})-(.+)\.ts$/.exec(file) ?? [];
    if (Number(number) !== index + 1) throw new Error(`${file}: the next migration is number ${index + 1}`);
    return `  { name: '${name}', load: () => import('./${file}') },\n`;
  });
  return `import type { MigrationFile } from '../migrate.ts';

// Made by \`npm run generate\` from the names of the files in this folder.

/** Every migration, oldest first; its number is its place. Never change a released one: add another. */
export const migrationFiles: readonly MigrationFile[] = [
${rows.join('')}];
`;
}
