import type { ChannelView } from '../access/predicates.ts';
import { canSeeChannel, type Viewer } from '../access/visibility.ts';
import { Type } from '../lib/schema.ts';
import type { EventKind } from './eventKind.ts';
import type { LiveEvent, LoggedEvent } from './logged.ts';

const data = Type.Object(
  {
    channelId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The channel; null if any channel may be affected: reload the list of channels',
    }),
  },
  { $id: 'Sight', title: 'Sight', additionalProperties: false },
);

/**
 * Sent to a stream whose viewer lost access to a channel, before the batch with the event that caused this.
 */
export const sight: EventKind<{ channelId: string | null }> = {
  type: 'sight',
  noun: 'sight',
  words: 'You can no longer see a channel. Discard everything you have stored about it',
  audience: 'member',
  log: 'server',
  live: 'plain',
  data,
  addressOf: () => ({ logId: '', channelId: null, userId: null }),
};

/** The view of a channel that each event contains, parsed once for all readers. */
const viewsAfter = new WeakMap<LoggedEvent, ChannelView>();

function viewAfter(event: LoggedEvent): ChannelView {
  let view = viewsAfter.get(event);
  if (!view) {
    view = JSON.parse(event.json).data as ChannelView;
    viewsAfter.set(event, view);
  }
  return view;
}

/**
 * Returns the `sight` event for a viewer who lost access to a channel through this event; undefined if they
 * did not. It is sent even if they now have access again, because the events in between were withheld.
 */
export function sightLostBy(event: LoggedEvent, viewer: Viewer): LiveEvent | undefined {
  const { at, lostBy, serverId } = event;
  if (!lostBy || serverId === null) return undefined;
  const isOfRole = 'roleId' in lostBy;
  const lost = isOfRole
    ? viewer.roleIds.includes(lostBy.roleId)
    : canSeeChannel(viewer, serverId, lostBy.channel) && !canSeeChannel(viewer, serverId, viewAfter(event));
  if (!lost) return undefined;
  const channelId = isOfRole ? null : event.channelId;
  const json = JSON.stringify({
    type: sight.type,
    serverId,
    actorId: null,
    actor: 'system',
    at,
    data: { channelId },
  });
  return { type: sight.type, kind: sight, serverId, channelId, channel: undefined, ownerId: null, json };
}
