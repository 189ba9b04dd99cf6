import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The parts of Kysely in use. Loaded as CommonJS, its files take half the time; types are imported as usual.
 */
export const {
  createQueryId,
  DummyDriver,
  expressionBuilder,
  Kysely,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
}: typeof import('kysely') = parts();
export type Kysely<DB> = import('kysely').Kysely<DB>;

/**
 * By file, because the whole package is 60 files more, for other engines and for migrations. The single
 * executable contains all of it.
 */
function parts() {
  const load = createRequire(import.meta.url);
  const folder = dirname(load.resolve('kysely'));
  const files = [
    'kysely.js',
    'dialect/postgres/postgres-query-compiler.js',
    'dialect/sqlite/sqlite-adapter.js',
    'dialect/sqlite/sqlite-introspector.js',
    'dialect/sqlite/sqlite-query-compiler.js',
    'driver/dummy-driver.js',
    'expression/expression-builder.js',
    'raw-builder/sql.js',
    'util/query-id.js',
  ];
  return Object.assign({}, ...files.map((file) => load(join(folder, file))));
}
