/** The records of several pages, separated by commas. */
export function joined(pages: readonly Uint8Array[]): Uint8Array {
  const comma = Buffer.from(',');
  return Buffer.concat(pages.flatMap((page, index) => (index === 0 ? [page] : [comma, page])));
}
