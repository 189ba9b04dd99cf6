/** The people of the demo, by username, and their bot. */
export const people = {
  ada: 'Ada Okafor',
  ben: 'Ben Lindqvist',
  chidi: 'Chidi Adeyemi',
  mei: 'Mei Tanaka',
} as const;
export type Person = keyof typeof people;

export const BOT = { username: 'guide', name: 'Guide' } as const;

export const SERVER_NAME = 'Harbour Works';

export const channels = [
  { name: 'general', description: 'Announcements and topics for everyone' },
  { name: 'releases', description: 'Release plans and announcements' },
  { name: 'incidents', description: 'Alerts and incidents' },
  { name: 'design', description: 'Screens, copy and colours' },
  { name: 'random', description: null },
] as const;

type Channel = (typeof channels)[number]['name'];

/**
 * A message of the demo. `as` names the message, so that the `replyTo` and `thread` of later lines can refer
 * to it.
 */
export interface Line {
  by: Person | 'guide';
  in: Channel;
  content: string;
  as?: string;
  replyTo?: string;
  /** The `as` of the thread's root message, and the thread's name. */
  thread?: readonly [root: string, name: string];
  reactions?: readonly string[];
  file?: 'picture' | 'table' | 'notes';
  isPinned?: boolean;
}

export const lines: readonly Line[] = [
  {
    by: 'ada',
    in: 'general',
    as: 'release',
    content:
      'Good morning! The release went out at 07:10. Error rate is flat, p99 went from 48 to **31 ms**.',
    reactions: ['🎉', '👍'],
    isPinned: true,
  },
  {
    by: 'ben',
    in: 'general',
    content: 'Nice. I was about to ask whether the index had been built before the deploy.',
  },
  {
    by: 'ben',
    in: 'general',
    thread: ['release', "This morning's release"],
    content: 'Which index was it, `message_channel`?',
  },
  {
    by: 'ada',
    in: 'general',
    thread: ['release', "This morning's release"],
    content: 'Yes. It took 40 s for a million rows, with no downtime.',
    reactions: ['❤️'],
  },
  {
    by: 'mei',
    in: 'general',
    as: 'figures',
    content:
      'The figures for the demo, as a table and as a file:\n\n| | before | now |\n|---|--:|--:|\n| page of 50 | 9 ms | 2 ms |\n| search | 84 ms | 12 ms |',
    file: 'table',
  },
  {
    by: 'chidi',
    in: 'general',
    replyTo: 'figures',
    content: 'Two customers wrote to say that search feels instant now.',
    reactions: ['❤️'],
  },
  {
    by: 'ben',
    in: 'releases',
    content:
      'The steps are in the runbook:\n\n```sh\npalaver doctor\npalaver backup /backups/$(date +%F)\n```',
    file: 'notes',
  },
  {
    by: 'chidi',
    in: 'incidents',
    as: 'alert',
    content: "> The disk of node 2 is 91% full\n\nI'm looking into it, @ada.",
    reactions: ['👀'],
  },
  {
    by: 'chidi',
    in: 'incidents',
    replyTo: 'alert',
    content:
      "It was old backups. I deleted them, and we're back at 40%. A nightly job does that from now on. ✅",
  },
  {
    by: 'mei',
    in: 'design',
    as: 'sunrise',
    content: 'A new picture for the sign-in page. What do you think?',
    file: 'picture',
    reactions: ['🔥', '😍'],
  },
  { by: 'ben', in: 'design', replyTo: 'sunrise', content: 'Warm, and the text stays readable. I like it.' },
  { by: 'ada', in: 'random', content: "Who's in for lunch at the harbour? 🐟", reactions: ['🙋', '🐟'] },
  {
    by: 'guide',
    in: 'general',
    content:
      "Welcome, @admin! Mention me and I'll answer: `@guide help`. Everything here is a demo. It is deleted when the server stops.",
  },
];

export const table = 'what,before (ms),now (ms)\npage of 50,9,2\nsearch,84,12\nfirst page,310,140\n';
export const notes =
  '# Release runbook\n\n1. Back up.\n2. Deploy node 1, and wait until it is ready.\n3. Deploy node 2.\n4. Watch p99 for ten minutes.\n';
