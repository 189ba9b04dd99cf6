/** A page of a list with the users whom its rows name. */
export interface NamingPage {
  expanded?: { users?: Record<string, { name: string; username: string }> } | undefined;
}

/** The names of the users who came with the pages of a list, by their ids: for a search in it. */
export function namesIn(pages: readonly NamingPage[]): (userId: string | null) => string[] {
  const users = new Map(pages.flatMap((page) => Object.entries(page.expanded?.users ?? {})));
  return (userId) => {
    const user = userId === null ? undefined : users.get(userId);
    return user ? [user.name, user.username] : [];
  };
}
