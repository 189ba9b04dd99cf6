import { writeFileSync } from 'node:fs';
import { getCompileCacheDir, registerHooks } from 'node:module';

// Preload into a process: when it exits, it writes to the file LOADED_PACKAGES what it has loaded, as JSON.

/** The modules of a process. */
export interface Loaded {
  /** The number of files by the name of the package. */
  packages: Record<string, number>;
  /** The number of files of no package: Palaver's own. */
  own: number;
  /** Node's own modules, those inside it too. */
  builtins: string[];
  /** The folder where Node keeps compiled code. */
  cache: string | undefined;
}

const packages: Record<string, number> = {};
let own = 0;

registerHooks({
  load(url, context, next) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name) packages[name] = (packages[name] ?? 0) + 1;
    else if (url.startsWith('file:')) own++;
    return next(url, context);
  },
});
process.on('exit', () => {
  const { moduleLoadList: builtins } = process as unknown as { moduleLoadList: string[] };
  const loaded: Loaded = { packages, own, builtins, cache: getCompileCacheDir() };
  writeFileSync(process.env.LOADED_PACKAGES as string, JSON.stringify(loaded));
});
