/**
 * Converts `ß` to `ss` in the compared forms of names, where only a capital `ẞ` left it. A name is left as it
 * is if its server has another one with the new form.
 */
export default (): string[] =>
  [
    ['channel', 'nameKey'],
    ['command', 'nameKey'],
    ['emoji', 'name'],
  ].map(
    ([table, column]) => `update ${table} set "${column}" = replace("${column}", 'ß', 'ss')
      where "${column}" like '%ß%' and not exists (select 1 from ${table} as other
        where other."serverId" = ${table}."serverId" and other."${column}" = replace(${table}."${column}", 'ß', 'ss'))`,
  );

export const isBackwardCompatible = true;
