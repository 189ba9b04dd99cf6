/** Pieces of which random messages are made: marks of Markdown, and text that may change what they do. */
export const marks = ['*', '**', '_', '~', '~~', '`', '```', '[', ']', '(', ')', '\\', '||', '<', '>'];
export const words = ['a', 'ж', '看', '。', '，', '"', '.', '-', ' ', '  ', '\n', '\n\n', '\t'];
