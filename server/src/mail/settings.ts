import { isMailAddress } from './address.ts';

/** The sender of all mails. */
export interface Sender {
  /** The name that is shown; empty for none. */
  name: string;
  address: string;
}

/** The settings of a node that sends mails. */
export interface MailSettings {
  /** `smtp://host:port`, or `smtps://` where TLS begins at once. */
  server: string;
  /** The name and the password at the server, with a colon between; empty for none. */
  login: string;
  sender: Sender;
  /** `required`: nothing is sent without TLS and a valid certificate. `off`: TLS is not used. */
  tls: 'required' | 'off';
  /** Mails that are taken up in an hour, at most. */
  hourly: number;
  /** The address at which people reach Palaver: the origin of all links. */
  address: string;
}

/** The sender in a setting: `Palaver <palaver@example.com>`, or the address alone. Throws an Error. */
export function senderFrom(text: string): Sender {
  const [, quoted = '', inBrackets] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? text).trim().toLowerCase();
  const name = quoted.replace(/^"(.*)"$/, '$1').trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin a header
  if (!isMailAddress(address) || /[\u0000-\u001f\u007f"<>]/.test(name))
    throw new Error('must be an address such as palaver@example.com, or Palaver <palaver@example.com>');
  return { name, address };
}

/** True for a server on this machine. */
export function isLocal(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
