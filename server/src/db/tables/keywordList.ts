import type { Row, Table } from './facts.ts';

/** A person's notification keywords. The id is the user's. Most people have no row. */
interface KeywordListRow extends Row {
  /** The keywords as the person wrote them. */
  keywords: string[];
  /**
   * A version greater than all previous ones: an index of keywords loads the rows that are newer than its own
   * version.
   */
  version: number;
}

export const keywordList: Table<KeywordListRow> = {
  key: ['id'],
  isCached: true,
  json: ['keywords'],
  inExportOf: { id: {} },
};
