import type { ColumnTypes } from './migrate.ts';
import { schema as postgresSchema } from './postgres/search.ts';
import { authorIndexSchema } from './sqlite/authorIndex.ts';
import { boundedMergesSchema, messageIndexSchema } from './sqlite/messageIndex.ts';
import { schema as sqliteSchema } from './sqlite/search.ts';

/** The statements that create the search indexes of a new database. */
export const searchSchema = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? sqliteSchema() : postgresSchema();

/** The statements that replace the message index. */
export const laterSearchSchema = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? messageIndexSchema() : [];

/** The statements that leave merging of the message index to the portions that fill it. */
export const boundedMerges = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? boundedMergesSchema() : [];

/**
 * The statements that fill the author index in portions as well. PostgreSQL keeps a regular index:
 * docs/decisions/0057.
 */
export const laterAuthors = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? authorIndexSchema() : [];
