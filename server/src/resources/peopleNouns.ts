import { personOperations } from '../accounts/index.ts';
import { sessionOperations } from '../accounts/session.ts';
import { blockEvents, blockOperations } from './block.ts';
import { importOperations } from './platform/imports.ts';
import { platformOperations } from './platform/index.ts';
import { presenceEvents, presenceOperations } from './presence.ts';
import { pushSubscriptionOperations } from './pushSubscription.ts';
import { draftOperations } from './reading/draft.ts';
import { draftEvents } from './reading/draftRecord.ts';
import { followingEvents } from './reading/following.ts';
import { readingOperations } from './reading/index.ts';
import { markEvents, placementEvents, readingEvents, wishEvents } from './reading/readingRecords.ts';
import { savedOperations } from './saved/index.ts';
import { savedEvents } from './saved/savedRecord.ts';
import { scheduledMessageOperations } from './scheduledMessage/index.ts';
import { scheduledMessageEvents } from './scheduledMessage/scheduledRecord.ts';
import { snapshotOperations } from './snapshot/index.ts';

/** The nouns in the group `People`. */
export const peopleNouns = {
  person: {
    group: 'People',
    purpose: "People's accounts: sign-up, sign-in, passwords and two-factor authentication",
    operations: personOperations,
  },
  session: {
    group: 'People',
    purpose: 'Browsers and apps you are signed in to',
    operations: sessionOperations,
  },
  pushSubscription: {
    group: 'People',
    purpose: 'Devices that receive push notifications',
    operations: pushSubscriptionOperations,
  },
  platform: {
    group: 'People',
    purpose: 'Users, servers, apps, settings and health, for platform admins',
    operations: platformOperations,
  },
  import: {
    group: 'People',
    purpose: 'Imports of history from other products, for platform admins',
    operations: importOperations,
  },
  reading: {
    group: 'People',
    purpose: 'Read markers, notification levels, favorites and followed threads',
    operations: readingOperations,
    events: {
      ...readingEvents,
      mark: markEvents.updated,
      level: wishEvents.updated,
      placement: placementEvents.updated,
      following: followingEvents.updated,
    },
  },
  block: {
    group: 'People',
    purpose: 'Users that a person has blocked',
    operations: blockOperations,
    events: blockEvents,
  },
  draft: {
    group: 'People',
    purpose: 'Unsent messages',
    operations: draftOperations,
    events: draftEvents,
  },
  scheduledMessage: {
    group: 'People',
    purpose: 'Messages that are sent later',
    operations: scheduledMessageOperations,
    events: scheduledMessageEvents,
  },
  saved: {
    group: 'People',
    purpose: 'Messages that a person saved, with reminders',
    operations: savedOperations,
    events: savedEvents,
  },
  presence: {
    group: 'People',
    purpose: 'Members who are online, and their status',
    operations: presenceOperations,
    events: presenceEvents,
  },
  snapshot: {
    group: 'People',
    purpose: 'The state of a server or channel in one response',
    operations: snapshotOperations,
  },
} as const;
