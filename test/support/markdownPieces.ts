/** Pieces for random messages: Markdown markup, and text that may change its meaning. */
export const marks = ['*', '**', '_', '~', '~~', '`', '```', '[', ']', '(', ')', '\\', '||', '<', '>'];
export const words = ['a', 'ж', '看', '。', '，', '"', '.', '-', ' ', '  ', '\n', '\n\n', '\t'];
