import { base } from '../../api/base.ts';

/** The `sessionStorage` key of a link. Contains the path: other installations may run on this host. */
const KEY = `palaver-link${base}`;

/** Stores a link in this tab, because a sign-in provider's pages are about to replace this one. */
export function keepLink(token: string): void {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // If storage is blocked, the link must be opened again.
  }
}

/** Returns the stored link and removes it. */
export function takeLink(): string | undefined {
  try {
    const token = sessionStorage.getItem(KEY) ?? undefined;
    sessionStorage.removeItem(KEY);
    return token;
  } catch {
    return undefined;
  }
}
