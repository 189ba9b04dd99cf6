import { sql } from './kysely.ts';

/** The SQL of `shownRecord`, as both engines read it. A record ends in the list of reactions: so one brace is at its end. */
export const SHOWN_RECORD = `case when "message"."attachments" is null then "message"."record" else rtrim("message"."record", '}') || ',"attachments":' || cast("message"."attachments" as text) || '}' end`;

/**
 * The record of a message as reads show it, in the column `record`: with its attachments, if it has any. They are put behind the
 * stored record, which most messages consist of.
 */
export const shownRecord = sql.raw<string>(SHOWN_RECORD).as('record');
