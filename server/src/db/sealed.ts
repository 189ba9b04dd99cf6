import { tableNames, tables } from './schema.ts';

const places = tableNames.flatMap((table) => {
  const { sealed } = tables[table];
  return sealed ? `select "${sealed}" as sealed from "${table}" where "${sealed}" is not null` : [];
});

/** SQL for any one value encrypted with the secret key, such as an app's secret: at most one row, in the column `sealed`. */
export const anySealed = `${places.join(' union all ')} limit 1`;
