/** A page of a list, with the users that its rows refer to. */
export interface NamingPage {
  expanded?: { users?: Record<string, { name: string; username: string }> } | undefined;
}

/** Looks up the names of the users that came with the pages of a list, for searching it. */
export function namesIn(pages: readonly NamingPage[]): (userId: string | null) => string[] {
  const users = new Map(pages.flatMap((page) => Object.entries(page.expanded?.users ?? {})));
  return (userId) => {
    const user = userId === null ? undefined : users.get(userId);
    return user ? [user.name, user.username] : [];
  };
}
