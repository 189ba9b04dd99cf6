import { linked, told } from './forge.ts';
import { firstOf, type Loose } from './loose.ts';

/** Whether a payload is an event from Azure DevOps. */
export const isAzureDevops = (payload: Loose): boolean =>
  typeof payload?.publisherId === 'string' && typeof payload.eventType === 'string' && 'resource' in payload;

/** Converts an event from Azure DevOps. The payload contains a description of the event. */
export function ofAzureDevops(payload: Loose): string {
  const { message, detailedMessage: detailed, eventType, resource } = payload ?? {};
  // The URL of a work item's page is in `html`. Pushes contain only the URL of their repository.
  const links = resource?._links ?? resource?.revision?._links;
  const [short, long] = [firstOf(message?.text, eventType), firstOf(detailed?.text)];
  const { sentence, address } = partsOf(short);
  const { web, html } = links ?? {};
  return told({
    place: '',
    actor: '',
    deed: linked(firstOf(web?.href, html?.href, address, resource?.repository?.remoteUrl), sentence),
    body: long.startsWith(short) ? long.slice(short.length) : long,
  });
}

/** Splits a text into the URL on its last line and the rest. */
function partsOf(text: string): { sentence: string; address: string } {
  const line = text.trimEnd();
  const end = line.lastIndexOf('\n');
  const address = /^\(?(https?:[^\s()]+)\)?$/.exec(line.slice(end + 1))?.[1];
  return address === undefined || end === -1
    ? { sentence: line, address: '' }
    : { sentence: line.slice(0, end), address };
}
