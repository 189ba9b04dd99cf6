import { writeFileSync } from 'node:fs';
import { getCompileCacheDir, registerHooks } from 'node:module';

// Preloaded into a process. On exit, it writes the modules that the process has loaded to the file LOADED_PACKAGES,
// as JSON.

/** The modules of a process. */
export interface Loaded {
  /** The number of files loaded, by package name. */
  packages: Record<string, number>;
  /** The number of files outside packages, which are Palaver's own. */
  own: number;
  /** Node's own modules, including internal ones. */
  builtins: string[];
  /** The folder of Node's compile cache. */
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
