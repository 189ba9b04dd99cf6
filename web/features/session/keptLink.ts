import { base } from '../../api/base.ts';

/** The `sessionStorage` key of a link. Palaver under another path of this host has its own. */
const KEY = `palaver-link${base}`;

/** Keeps a link in this tab, while a sign-in provider's pages replace this one. */
export function keepLink(token: string): void {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // If storage is blocked, the link must be opened again.
  }
}

/** The kept link, once. */
export function takeLink(): string | undefined {
  try {
    const token = sessionStorage.getItem(KEY) ?? undefined;
    sessionStorage.removeItem(KEY);
    return token;
  } catch {
    return undefined;
  }
}
