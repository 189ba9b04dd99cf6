import { createStore } from '../../ui/index.ts';

/** The member who is shown, beside this element. */
interface Shown {
  userId: string;
  element: HTMLElement;
}

const shown = createStore<Shown | undefined>(undefined);

/** Shows a member beside an element, such as their name in a message. Needs a `ProfileLayer` in the page. */
export const showProfile = (userId: string, element: HTMLElement): void => shown.set({ userId, element });

export const closeProfile = (): void => shown.set(undefined);

/** The member who is shown. */
export const useShown = (): Shown | undefined => shown.use();
