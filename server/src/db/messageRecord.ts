import { sql } from 'kysely';

/**
 * The SQL for `shownRecord`, for both engines. A record ends with the number `updatedAt`, so `rtrim` removes
 * only the brace that closes the record.
 */
export const SHOWN_RECORD = `rtrim("message"."record", '}') || ',"stream":' || coalesce('"' || "message"."stream" || '"', 'null') || coalesce(',"attachments":' || cast("message"."attachments" as text), '') || coalesce(',"blocks":' || cast("message"."blocks" as text), '') || '}'`;

/**
 * A message's record as reads return it, in the column `record`. Columns that were added later are appended
 * to the stored record.
 */
export const shownRecord = sql.raw<string>(SHOWN_RECORD).as('record');
