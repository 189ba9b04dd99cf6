/**
 * Matches a lowercase email address as browsers accept it (HTML standard, 4.10.5.1.5), with at least two
 * labels after the @.
 */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

export const MAX_ADDRESS_CHARACTERS = 254;

/**
 * Whether mail can be sent to the address. Rejects characters that could start a header or a second address.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_ADDRESS_CHARACTERS && ADDRESS.test(text);
