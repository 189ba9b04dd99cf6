import type { Json } from './world.ts';

/**
 * The paths of all documented GET operations, except incoming webhooks and exports of personal data, without filters
 * and with each filter that could match. `target` maps collections to records, and `mark` is a word in their text.
 */
export function readsOf(document: Json, target: Record<string, Json>, mark: string): string[] {
  const values: Record<string, string> = {
    q: mark,
    channelId: target.channels?.id,
    threadId: target.threads?.id,
    messageId: target.messages?.id,
    around: target.messages?.id,
    userIds: target.users?.id,
    creatorId: target.users?.id,
  };
  const paths: string[] = [];
  for (const [template, item] of Object.entries<Json>(document.paths)) {
    if (!item.get || /^\/api\/(hooks|people\/export)/.test(template)) continue;
    const path = template.replace(/([a-z-]+)\/\{\w+\}/g, (_, noun) => {
      return `${noun}/${(target[noun as string] ?? (target.channels as Json)).id}`;
    });
    const names: string[] = [...(item.parameters ?? []), ...(item.get.parameters ?? [])]
      .map((one: Json) => (one.$ref ? one.$ref.split('/').at(-1) : one.name))
      .filter((name: string) => name in values);
    paths.push(path, ...names.map((name) => `${path}?${name}=${values[name]}`));
    if (names.includes('q')) paths.push(`${path}?q=${mark}&limit=100`);
  }
  return paths;
}
