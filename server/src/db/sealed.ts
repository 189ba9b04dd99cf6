import { tableNames, tables } from './schema.ts';

const places = tableNames.flatMap((table) => {
  const { sealed } = tables[table];
  return sealed ? `select "${sealed}" as sealed from "${table}" where "${sealed}" is not null` : [];
});

/** SQL for any one value encrypted with the secret key, in the column `sealed`; no row if there is none. */
export const anySealed = `${places.join(' union all ')} limit 1`;
