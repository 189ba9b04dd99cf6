import { globSync } from 'node:fs';
import { join } from 'node:path';

/** What data are kept by: the embedded database, which is always there, or a server that may be. */
export type Engine = 'sqlite' | 'postgres';

/** Suites that run on one engine alone, by the beginning of their path under test/, and why. All others run on both. */
const alone: readonly [name: string, engine: Engine, why: string][] = [
  ['cli/backup', 'sqlite', 'copies the data file'],
  ['cli/config', 'sqlite', 'opens no data'],
  ['cli/doctor.postgres', 'postgres', 'is about PostgreSQL'],
  ['cli/doctor.test', 'sqlite', 'damages the data file'],
  ['cli/doctor.valkey', 'sqlite', 'is about Valkey'],
  ['cli/migrate', 'postgres', 'moves data between both engines'],
  ['cli/restore.log', 'sqlite', 'is about the log beside the data file'],
  ['cli/start.files', 'sqlite', 'looks at the data folder'],
  ['client/', 'sqlite', 'is about the client, for which every engine is the same'],
  ['faults/busy', 'sqlite', 'locks the data file'],
  ['faults/files', 'sqlite', 'damages the data file'],
  ['faults/migrate', 'postgres', 'moves data between both engines'],
  ['faults/storage', 'sqlite', 'fills the data file'],
  ['faults/valkey', 'sqlite', 'opens no data'],
  ['nodes/', 'postgres', 'is about several nodes on one PostgreSQL'],
  ['operation/docs', 'sqlite', 'asks for pages, which are the same on every engine'],
  ['operation/parser', 'sqlite', 'is about what comes before any data'],
  ['postgres/', 'postgres', 'is about the engine on PostgreSQL'],
  ['operation/shared', 'sqlite', 'is about what nodes share in Valkey'],
  ['operation/slow', 'sqlite', 'is about what comes before any data'],
  ['operation/streams', 'sqlite', 'is about what comes after any data'],
  ['properties/limiter', 'sqlite', 'opens no data'],
  ['spec/keys.file', 'sqlite', 'is about the file of the key in the data folder'],
  ['spec/limits', 'sqlite', 'is about what comes before any data'],
];

const tests = join(import.meta.dirname, '..', 'test');

/** The test files whose path under test/ begins with one of the names, of all if there are none, that run on an engine. */
export function suitesOn(engine: Engine, names: readonly string[]): string[] {
  const files = globSync('**/*.test.ts', { cwd: tests }).sort();
  for (const [name] of alone) {
    if (!files.some((file) => file.startsWith(name))) throw new Error(`there are no tests like ${name}`);
  }
  const isOn = (file: string) => alone.every(([name, only]) => only === engine || !file.startsWith(name));
  const isNamed = (file: string) => names.length === 0 || names.some((name) => file.startsWith(name));
  return files.filter((file) => isNamed(file) && isOn(file)).map((file) => join('test', file));
}
