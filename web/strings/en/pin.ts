/** The texts of pinned messages. */
export const pin = {
  pins: 'Pinned messages',
  unpin: 'Unpin',
  none: 'Nothing is pinned here',
  noneMore: 'Pin what people should find again: a decision, an address, a plan.',
};
