import type { Row, Table } from './facts.ts';

/** The keywords of a person, of which messages notify them. The id is the user's. There is no row for most people. */
interface KeywordListRow extends Row {
  /** As the person wrote them. */
  keywords: string[];
  /** Larger than all versions before: an index of keywords reads the rows that are newer than its own. */
  version: number;
}

export const keywordList: Table<KeywordListRow> = {
  key: ['id'],
  json: ['keywords'],
  inExportOf: { id: {} },
};
