import { fold } from '../../ui/fold.ts';

/** The destinations whose names contain the text, prefix matches first. */
export function matching<T extends { name: string }>(targets: readonly T[], typed: string): T[] {
  const wanted = fold(typed.replace(/^[#@]/, ''));
  if (wanted === '') return [...targets];
  const placeIn = ({ name }: T) => fold(name.replace(/^#/, '')).indexOf(wanted);
  return targets
    .map((target) => ({ target, at: placeIn(target) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => Number(one.at > 0) - Number(other.at > 0))
    .map(({ target }) => target);
}

/** The text of a forwarded message: the comment, followed by a line with the link to the original. */
export const forwardedText = (comment: string, link: string): string =>
  comment.trim() === '' ? link : `${comment.trim()}\n\n${link}`;
