/** A part of a line. In its text, escapes and entities are resolved. */
export type Inline =
  | { type: 'text'; text: string }
  /**
   * A name with its prefix, such as `@ada` or `#general`. `tail` is the trailing punctuation. It belongs to
   * the name if a longer name matches: in `@ada.`, the dot may end a sentence or the username `ada.`.
   */
  | { type: 'name'; mark: '@' | '#'; name: string; tail: string }
  | { type: 'break'; isHard: boolean }
  | { type: 'codeSpan'; text: string }
  | { type: 'emphasis' | 'strong' | 'strike' | 'spoiler'; children: Inline[] }
  | { type: 'link'; url: string; title: string; children: Inline[] }
  | { type: 'image'; url: string; title: string; text: string };

/** A paragraph, list or other block of a message. */
export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; isOrdered: boolean; start: number; isTight: boolean; items: ListItem[] }
  | { type: 'code'; info: string; text: string }
  | { type: 'table'; aligns: Align[]; rows: Inline[][][] }
  | { type: 'rule' };

export interface ListItem {
  /** Whether the checkbox of a task is ticked. Undefined if the item is not a task. */
  isDone?: boolean;
  children: Block[];
}

/** The alignment of a column in a table. */
export type Align = 'left' | 'center' | 'right' | undefined;
