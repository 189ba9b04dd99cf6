import { texts } from '../texts.ts';

/** Archives of the user's data. */
export const ownExports = texts({
  title: 'Export your data',
  lead: "A zip archive with your messages and their earlier versions, files, direct messages, and everything stored about your account. It contains JSON files and HTML pages. We'll ask you to confirm your identity.",
  start: 'Start export',
  none: 'No exports',
  noneMore: 'Start one to keep a copy of your data.',
  states: { running: 'in progress', done: 'complete', failed: 'failed' },
  failures: { too_large: 'larger than this server allows', too_late: 'took more than a day' },
  messages: '{count, plural, one {# message} other {# messages}}',
  until: 'available until {when}',
  downloadOf: 'Download export from {when}',
  deleteOf: 'Delete export from {when}',
  ask: 'Delete this export?',
  askMore: 'Its archive can no longer be downloaded.',
  askRunning: 'The export will be cancelled.',
  deleted: 'Export deleted.',
});
