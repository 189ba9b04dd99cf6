import { linked, told } from './forge.ts';
import { firstOf, type Loose } from './loose.ts';

/** Whether a payload is an event of Azure DevOps. */
export const isAzureDevops = (payload: Loose): boolean =>
  typeof payload?.publisherId === 'string' && typeof payload.eventType === 'string' && 'resource' in payload;

/** Converts an event of Azure DevOps, which describes itself in text. */
export function ofAzureDevops(payload: Loose): string {
  const { message, detailedMessage: detailed, eventType, resource } = payload ?? {};
  // Work items have their page in `html`, and pushes only the address of their repository.
  const links = resource?._links ?? resource?.revision?._links;
  const [short, long] = [firstOf(message?.text, eventType), firstOf(detailed?.text)];
  // The sentence is followed by its URL, on a line of its own.
  const [, sentence = short, address = ''] = /^(.+?)\s*\n\((https?:[^\s()]+)\)\s*$/.exec(short) ?? [];
  const { web, html } = links ?? {};
  return told({
    place: '',
    actor: '',
    deed: linked(firstOf(web?.href, html?.href, address, resource?.repository?.remoteUrl), sentence),
    body: long === short ? '' : long,
  });
}
