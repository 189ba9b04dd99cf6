import type { Row, Table } from './facts.ts';

/** A person's notification keywords. The id is that of the user. Most people have no row. */
interface KeywordListRow extends Row {
  /** The keywords as the person wrote them. */
  keywords: string[];
  /**
   * A version that is greater than all previous ones. Indexes of keywords load the rows that are newer than
   * their own version.
   */
  version: number;
}

export const keywordList: Table<KeywordListRow> = {
  key: ['id'],
  isCached: true,
  json: ['keywords'],
  inExportOf: { id: {} },
};
