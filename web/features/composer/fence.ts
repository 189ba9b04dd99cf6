/** Whether a text ends inside a fenced block of code (CommonMark 0.31, 4.5). */
export function isInOpenFence(text: string): boolean {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const [, fence, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === undefined) {
      // The info string of a backtick fence cannot contain backticks.
      if (!(fence.startsWith('`') && rest.includes('`'))) open = fence;
    } else if (fence.startsWith(open) && rest.trim() === '') open = undefined;
  }
  return open !== undefined;
}
