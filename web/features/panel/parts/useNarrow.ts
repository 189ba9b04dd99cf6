import { useMedia } from '../../../ui/index.ts';

/** True on a phone: a panel covers the conversation there, so who goes to a message leaves it. */
export const useNarrow = (): boolean => useMedia('(width < 45rem)');
