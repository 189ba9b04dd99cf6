/** The most that clients may hold of one node at once. Each is a setting of this name; here are the defaults. */
export const defaultBounds = {
  /** Open event streams. */
  streams: 20_000,
  /** Open event streams of one user. */
  streamsPerUser: 1_000,
  /** Megabytes of answers that were not read yet; a quarter of them for one user. */
  unreadMegabytes: 256,
  /** Uploads under way. */
  uploads: 32,
  /** Uploads of one user under way. */
  uploadsPerUser: 4,
  /** Copies of their data that people are getting: each looks through large tables. */
  exports: 4,
  /** Copies of their data that one person is getting. */
  exportsPerUser: 1,
};

export type Bounds = typeof defaultBounds;
