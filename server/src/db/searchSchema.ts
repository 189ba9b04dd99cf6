import type { ColumnTypes } from './migrate.ts';
import { schema as postgresSchema } from './postgres/search.ts';
import { authorIndexSchema } from './sqlite/authorIndex.ts';
import { boundedMergesSchema, messageIndexSchema } from './sqlite/messageIndex.ts';
import { schema as sqliteSchema } from './sqlite/search.ts';

/** The statements that create the search indexes of a new database. */
export const searchSchema = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? sqliteSchema() : postgresSchema();

/** The statements that replace the search index of messages. */
export const laterSearchSchema = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? messageIndexSchema() : [];

/** The statements that leave the merges of the search index of messages to the portions that fill it. */
export const boundedMerges = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? boundedMergesSchema() : [];

/** The statements that leave the index of authors to portions, too. PostgreSQL keeps its own: docs/decisions/0057. */
export const laterAuthors = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? authorIndexSchema() : [];
