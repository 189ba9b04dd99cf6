/** A page of a list, with the users that its rows refer to. */
export interface NamingPage {
  expanded?: { users?: Record<string, { name: string; username: string }> } | undefined;
}

/** Returns a function that finds the names of users in the pages of a list. Used to search the list. */
export function namesIn(pages: readonly NamingPage[]): (userId: string | null) => string[] {
  const users = new Map(pages.flatMap((page) => Object.entries(page.expanded?.users ?? {})));
  return (userId) => {
    const user = userId === null ? undefined : users.get(userId);
    return user ? [user.name, user.username] : [];
  };
}
