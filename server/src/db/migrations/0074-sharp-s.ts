/**
 * Converts `ß` to `ss` in the compared forms of names, where only a capital `ẞ` left it. If several names of a
 * server would have the same form, only one gets it, so that names stay unique.
 */
export default (): string[] =>
  [
    ['channel', 'nameKey'],
    ['command', 'nameKey'],
    ['emoji', 'name'],
  ].map(
    ([table, column]) => `update ${table} set "${column}" = replace("${column}", 'ß', 'ss')
      where "${column}" like '%ß%' and not exists (select 1 from ${table} as other
        where other."serverId" = ${table}."serverId"
          and replace(other."${column}", 'ß', 'ss') = replace(${table}."${column}", 'ß', 'ss')
          and (other."${column}" not like '%ß%' or other.id < ${table}.id))`,
  );

export const isBackwardCompatible = true;
