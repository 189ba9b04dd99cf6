/** The fields of a message's record that filters examine. */
export interface Examined {
  content: string;
  pinned: boolean;
  attachments?: readonly unknown[] | null;
}

/** Filters that examine each message. */
export interface Flags {
  hasFile?: boolean;
  hasLink?: boolean;
  pinned?: boolean;
  mentionsMe?: boolean;
}

export const hasFlags = ({ hasFile, hasLink, pinned, mentionsMe }: Flags): boolean =>
  [hasFile, hasLink, pinned, mentionsMe].some((one) => one !== undefined);
