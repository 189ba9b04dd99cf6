/** The texts of what stands beside the conversation. */
export const panel = {
  titles: {
    threads: 'Threads',
    pins: 'Pinned messages',
    members: 'Members',
    search: 'Search',
    inbox: 'Inbox',
  },
  close: 'Close',
  back: 'Back',
  resize: 'Width of the panel',
  more: 'Show more',
  gone: 'Deleted user',
  cardLabel: (author: string, at: string) => `${author}, ${at}`,
};
