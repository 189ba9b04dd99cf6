import { get } from './key.js';

// Paths that list ids on this server, by noun. In a path, {channel} is replaced with the id of the first
// channel, and so on.

const nameOf = ({ name }) => name;
const lists = {
  server: { path: '/api/v1/servers', name: nameOf },
  channel: { path: '/api/v1/servers/{server}/channels', name: ({ name }) => `#${name}` },
  message: { path: '/api/v1/channels/{channel}/messages', name: ({ content }) => content },
  thread: { path: '/api/v1/channels/{channel}/threads', name: nameOf },
  pin: {
    path: '/api/v1/channels/{channel}/pins',
    name: ({ content }) => content,
    id: ({ pin }) => pin.id,
  },
  reaction: { path: '/api/v1/messages/{message}/reactions', name: ({ emoji }) => emoji },
  role: { path: '/api/v1/servers/{server}/roles', name: nameOf },
  user: {
    path: '/api/v1/servers/{server}/members',
    name: ({ user }) => user.name,
    id: ({ userId }) => userId,
  },
  serverMember: { path: '/api/v1/servers/{server}/members', name: ({ user }) => user.name },
  serverBan: { path: '/api/v1/servers/{server}/bans', name: ({ user, userId }) => user?.name ?? userId },
  invite: { path: '/api/v1/servers/{server}/invites', name: ({ uses }) => `${uses} uses` },
  appInstall: { path: '/api/v1/servers/{server}/app-installs', name: ({ app }) => app?.name ?? '' },
  app: {
    path: '/api/v1/servers/{server}/app-installs',
    name: ({ app }) => app?.name ?? '',
    id: ({ appId }) => appId,
  },
  secret: { path: '/api/v1/servers/{server}/secrets', name: nameOf },
  webhook: { path: '/api/v1/servers/{server}/webhooks', name: ({ url, name }) => name ?? url },
  webhookDelivery: {
    path: '/api/v1/webhooks/{webhook}/deliveries',
    name: ({ status, eventId }) => `${status} ${eventId}`,
  },
  flow: { path: '/api/v1/servers/{server}/flows', name: nameOf },
  notification: { path: '/api/v1/notifications', name: ({ type }) => type },
};

/** How long a list is cached. Each request counts towards the key's rate limit. */
const AGE_MS = 20_000;
const LONGEST = 60;
let known = new Map();

/** Clears the cache, for example when the key changes. */
export const forgetIds = () => {
  known = new Map();
};

/** Invalidates lists that a request may have changed. */
export const staleIds = () => {
  for (const each of known.values()) each.at = 0;
};

/** Returns ids of a noun, each with a name. Empty if there are none, or if the key may not see them. */
export function idsOf(noun) {
  const list = lists[noun];
  if (!list) return Promise.resolve([]);
  const earlier = known.get(noun);
  if (earlier && Date.now() - earlier.at < AGE_MS) return earlier.ids;
  const ids = load(list).catch(() => []);
  known.set(noun, { at: Date.now(), ids });
  return ids;
}

async function load({ path, name, id = (record) => record.id }) {
  const [, above] = /\{(\w+)\}/.exec(path) ?? [];
  const [first] = above ? await idsOf(above) : [];
  if (above && !first) return [];
  const records = await get(path.replace(`{${above}}`, first?.id));
  return records.map((record) => ({ id: id(record), name: String(name(record) ?? '').slice(0, LONGEST) }));
}
