import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../support/world.ts';

const root = join(import.meta.dirname, '..', '..');

/** The Postman collection that users import. */
export const collection: Json = JSON.parse(
  readFileSync(join(root, 'docs', 'palaver.postman_collection.json'), 'utf8'),
);

/** A request that was run, with its answer. */
export interface Ran {
  name: string;
  /** 0 if there was no answer. */
  status: number;
  headers: Map<string, string>;
  /** The messages of its tests that failed. */
  failures: string[];
}

/** Runs the whole collection with newman, on a server at `url`. `folder` is one for its report. */
export async function runCollection(url: string, key: string, folder: string): Promise<Ran[]> {
  const report = join(folder, 'report.json');
  const file = join(root, 'docs', 'palaver.postman_collection.json');
  const values = ['--env-var', `baseUrl=${url}`, '--env-var', `key=${key}`];
  const reporting = ['--reporters', 'json', '--reporter-json-export', report];
  const program = join(import.meta.dirname, 'node_modules', 'newman', 'bin', 'newman.js');
  const child = spawn(process.execPath, [program, 'run', file, ...values, ...reporting], {
    stdio: 'inherit',
  });
  await once(child, 'close');
  const { executions, failures } = JSON.parse(readFileSync(report, 'utf8')).run;
  return executions.map(
    ({ item, response, cursor }: Json): Ran => ({
      name: item.name,
      status: response?.code ?? 0,
      headers: new Map(response?.header.map(({ key, value }: Json) => [key.toLowerCase(), value])),
      failures: failures
        .filter((failure: Json) => failure.cursor.ref === cursor.ref)
        .map(({ error }: Json) => `${error.name} ${error.message}: ${textOf(response)}`),
    }),
  );
}

const textOf = (response: Json): string => Buffer.from(response?.stream?.data ?? []).toString();
