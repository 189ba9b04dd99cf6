import { append } from '../server/src/db/append.ts';
import type { Runnable, Tx } from '../server/src/db/contract.ts';
import { limitsFrom } from '../server/src/limits/table.ts';
import { openData } from '../server/src/node/data.ts';
import { startNode } from '../server/src/node/node.ts';

/**
 * Runs Palaver on a data folder: `logCost.ts FOLDER`. If the second argument is `without`, it writes no event log.
 */
const [folder = '', without] = process.argv.slice(2);
const data = await openData({ data: folder });
const { template } = append({} as never);

const isAppend = (query: Runnable<unknown>): boolean => 'template' in query && query.template === template;

if (without) {
  const write = data.db.write.bind(data.db);
  data.db.write = (work, ...rest) => write((tx) => work(unlogged(tx)), ...rest);
}
const { url } = await startNode({ data, limits: limitsFrom({ '*': 0 }), listen: {} });
process.stdout.write(`${url}\n`);
process.on('SIGTERM', () => process.exit(0));

function unlogged(tx: Tx): Tx {
  const run: Tx['run'] = (query) => (isAppend(query) ? Promise.resolve() : tx.run(query));
  return new Proxy(tx, {
    get(_, name) {
      const value = name === 'run' ? run : tx[name as keyof Tx];
      return typeof value === 'function' ? value.bind(tx) : value;
    },
  });
}
