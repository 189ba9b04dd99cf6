import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Preload into a process: it writes the names of the packages that the process loads to the file LOADED_PACKAGES, one a
// line.

const packages = new Set<string>();

registerHooks({
  load(url, context, next) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name) packages.add(name);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES as string, [...packages].join('\n')));
