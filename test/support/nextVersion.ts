import { registerHooks } from 'node:module';
import type { Environment } from './process.ts';

// Preloaded into a process. Adds a migration, so the process acts as the next version. NEXT_MIGRATION determines
// whether the migration is backward compatible.

const statements = ['create table "madeUp" (id integer primary key)'];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/server/src/db/migrations/index.ts')) return loaded;
    const module = {
      statements,
      isBackwardCompatible: process.env.NEXT_MIGRATION === 'compatible',
    };
    const source = `${loaded.source}
      (migrationFiles as MigrationFile[]).push({ name: 'made up', load: async () => {
        const { statements, isBackwardCompatible } = ${JSON.stringify(module)};
        return { default: () => statements, isBackwardCompatible };
      } });`;
    return { ...loaded, source };
  },
});

export const nextVersion = (migration: 'compatible' | 'breaking'): Environment => ({
  NODE_OPTIONS: `--import=${import.meta.url}`,
  NEXT_MIGRATION: migration,
});
