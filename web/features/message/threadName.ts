/** The length of a name that is made of a message: lists show little more. */
const MOST = 60;

/** The name of a new thread: the first line of its message, without marks of Markdown; empty if there is no text. */
export function nameFor(content: string): string {
  const lines = content.replace(/```[\s\S]*?(```|$)/g, ' ').split('\n');
  const text =
    lines
      .map((line) =>
        line
          .replace(/^\s*(#{1,6}|>|[-*+]|\d+[.)])\s+/, '')
          .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/\|\|.*?\|\|/g, '…')
          .replace(/(\*\*|__|~~|`)/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .find((line) => line !== '') ?? '';
  const letters = [...text];
  if (letters.length <= MOST) return text;
  const cut = letters.slice(0, MOST - 1).join('');
  // A word is not cut, unless it is the only one.
  const space = cut.lastIndexOf(' ');
  return `${space > MOST / 2 ? cut.slice(0, space) : cut}…`;
}
