import { buildApp } from '../server/src/app.ts';
import { openData } from '../server/src/cli/data.ts';
import { append } from '../server/src/db/append.ts';
import type { Runnable, Tx } from '../server/src/db/contract.ts';
import { limitsFrom } from '../server/src/limits/table.ts';

/** Palaver on a data folder, `logCost.ts FOLDER`, or with `without` after it, the same but for the event log, which gets nothing. */
const [folder = '', without] = process.argv.slice(2);
const data = await openData({ data: folder, secretKey: '' });
const { template } = append({} as never);

const isAppend = (query: Runnable<unknown>): boolean => 'template' in query && query.template === template;

if (without) {
  const write = data.db.write.bind(data.db);
  data.db.write = (work, ...rest) => write((tx) => work(unlogged(tx)), ...rest);
}
const app = await buildApp({ ...data, limits: limitsFrom({ '*': 0 }) });
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.on('SIGTERM', () => process.exit(0));

function unlogged(tx: Tx): Tx {
  return {
    ...tx,
    run: (query) => (isAppend(query) ? Promise.resolve() : tx.run(query)),
  };
}
