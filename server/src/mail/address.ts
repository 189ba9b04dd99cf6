/** The address of a mailbox, in lower case, as browsers take it (HTML standard, 4.10.5.1.5), with a name of several parts behind the @. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

export const MAX_ADDRESS_CHARACTERS = 254;

/** True for an address that is sent to, in lower case: no sign of it can begin a header, or a second address. */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_ADDRESS_CHARACTERS && ADDRESS.test(text);
