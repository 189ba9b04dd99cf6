import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Preloaded into a process, this writes the packages that it loads to the file LOADED_PACKAGES, a line each.

const packages = new Set<string>();

registerHooks({
  load(url, context, next) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name) packages.add(name);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES as string, [...packages].join('\n')));
