/**
 * The environment variable that names the file to which a job's process writes a line of `Notes` after each test
 * file.
 */
export const NOTES_FILE = 'PALAVER_TEST_NOTES_FILE';

/** The files that a process used. */
export interface Done {
  /** Files with functions that ran. A folder, whose path ends in `/`, stands for everything in it. */
  called: string[];
  /** The named functions that ran, in sources of the server and the web client: file, space, name. */
  functions: string[];
  /** Files that were read, listed (`/`) or checked for existence (`?`). */
  read: string[];
}

/**
 * The CPU seconds that a process has used so far, how many of them no other process counts, and the files it
 * used.
 */
export interface Notes extends Done {
  cpu: number;
  unseen: number;
}
