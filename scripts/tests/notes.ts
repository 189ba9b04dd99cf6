/** The variable that names the file to which a job's process writes a line of `Notes` after each test file. */
export const NOTES_FILE = 'PALAVER_TEST_NOTES_FILE';

/** What a process has done. */
export interface Done {
  /** Files of which a function ran; a folder, ending in `/`, stands for all in it. */
  called: string[];
  /** Files that were read, listed (`/`) or looked for (`?`). */
  read: string[];
}

/** The CPU seconds of a process so far, how many of them nobody counts, and what a file did in it. */
export interface Notes extends Done {
  cpu: number;
  unseen: number;
}
