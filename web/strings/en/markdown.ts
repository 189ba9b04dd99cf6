/** The texts within messages. */
export const markdown = {
  picture: 'Picture',
  done: 'Done',
  table: 'Table',
  spoiler: 'Hidden text: show it',
  copyCode: 'Copy the code',
  all: 'Show all',
  less: 'Show less',
};
