/** An export cannot start or go on: the folder has other files, there is no such channel, or it is too large. */
export class ExportRefused extends Error {}

/** An export has more bytes than it may. */
export class ExportTooLarge extends ExportRefused {
  constructor(maxBytes: number) {
    super(`the export is larger than ${Math.floor(maxBytes / 1_000_000)} MB`);
  }
}
