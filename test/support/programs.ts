import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The TypeScript compiler as a Node script. It takes a fifth of the CPU time of version 6. */
export const compilerProgram = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  'typescript7',
  'bin',
  'tsc',
);

/** The path of the first of these programs in PATH; undefined if there is none. */
export function programOf(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
