import { isMailAddress } from './address.ts';

/** The sender of all emails. */
export interface Sender {
  /** The display name; empty for none. */
  name: string;
  address: string;
}

/** The settings of a node that sends mail. */
export interface MailSettings {
  /** `smtp://host:port`, or `smtps://` for implicit TLS. */
  server: string;
  /** The username and password, separated by a colon; empty if there are none. */
  login: string;
  sender: Sender;
  /** `required` refuses to send without TLS and a valid certificate; `off` never uses TLS. */
  tls: 'required' | 'off';
  /** Maximum emails accepted per hour. */
  hourly: number;
  /** Palaver's public address, with which all links start. */
  address: string;
}

/** Parses the sender setting: `Palaver <palaver@example.com>`, or the address alone. Throws an Error. */
export function senderFrom(text: string): Sender {
  const [, quoted = '', inBrackets] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? text).trim().toLowerCase();
  const name = quoted.replace(/^"(.*)"$/, '$1').trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin a header
  if (!isMailAddress(address) || /[\u0000-\u001f\u007f"<>]/.test(name))
    throw new Error('must be an address such as palaver@example.com, or Palaver <palaver@example.com>');
  return { name, address };
}

/** Whether the server runs on this machine. */
export function isLocal(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
