import { tableNames, tables } from './schema.ts';

const places = tableNames.flatMap((table) => {
  const { sealed } = tables[table];
  return sealed ? `select "${sealed}" as sealed from "${table}" where "${sealed}" is not null` : [];
});

/** Something that the key of secrets has encrypted, if there is anything: an app's secret, or that of a webhook. */
export const anySealed = `${places.join(' union all ')} limit 1`;
