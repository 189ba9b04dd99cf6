/**
 * Thrown if an export cannot start or continue: the folder has other files, the channel does not exist, or
 * the export is too large.
 */
export class ExportRefused extends Error {}

/** Thrown if an export exceeds its maximum size. */
export class ExportTooLarge extends ExportRefused {
  constructor(maxBytes: number) {
    super(`the export is larger than ${Math.floor(maxBytes / 1_000_000)} MB`);
  }
}
