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

/** The statements that let the chunks that fill the message index also merge it. */
export const boundedMerges = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? boundedMergesSchema() : [];

/**
 * The statements that make chunks fill the author index as well. PostgreSQL keeps a regular index: see
 * docs/decisions/0057.
 */
export const laterAuthors = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? authorIndexSchema() : [];
