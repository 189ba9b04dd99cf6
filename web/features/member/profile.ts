import { createStore } from '../../ui/index.ts';

/** The open profile, and the element it is anchored to. */
interface Shown {
  userId: string;
  element: HTMLElement;
}

const shown = createStore<Shown | undefined>(undefined);

/**
 * Opens a member's profile next to an element, such as their name in a message. Requires a `ProfileLayer`
 * on the page.
 */
export const showProfile = (userId: string, element: HTMLElement): void => shown.set({ userId, element });

export const closeProfile = (): void => shown.set(undefined);

/** The open profile. */
export const useShown = (): Shown | undefined => shown.use();
