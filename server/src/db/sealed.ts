/** Something that the key of secrets has encrypted, if there is anything: an app's secret, or that of a webhook. */
export const anySealed = `select sealed from secret where sealed is not null
  union all select sealed from webhook where sealed is not null limit 1`;
