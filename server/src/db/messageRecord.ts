import { sql } from 'kysely';

/**
 * The SQL for `shownRecord`, for both engines. A record ends with its list of reactions, so the last brace
 * closes the record.
 */
export const SHOWN_RECORD = `case when "message"."attachments" is null then "message"."record" else rtrim("message"."record", '}') || ',"attachments":' || cast("message"."attachments" as text) || '}' end`;

/**
 * A message's record as reads return it, in the column `record`. Any attachments are appended to the stored
 * record, which is all that most messages need.
 */
export const shownRecord = sql.raw<string>(SHOWN_RECORD).as('record');
