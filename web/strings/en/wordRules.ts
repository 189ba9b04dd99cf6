import { texts } from '../texts.ts';

/** Server settings: rules that hold or block messages. */
export const wordRuleSettings = texts({
  title: 'Word rules',
  lead: 'Hold or block messages that contain certain words. Rules apply to messages, edits and thread names, but not to moderators or direct messages.',
  forbidden: "You don't have access to word rules.",
  none: 'No word rules',
  noneMore: 'Create one to check messages before members see them.',
  create: 'New word rule',
  edit: 'Edit word rule',
  pattern: 'Words',
  patternHint:
    'Case, accents and punctuation are ignored. “*” matches any letters within a word, as in “cheap watch*”.',
  action: 'If a message matches',
  actions: { hold: 'Hold it for review', refuse: 'Block it' },
  saved: 'Word rule saved.',
  ask: 'Delete the rule for “{pattern}”?',
  askMore: 'Messages it already holds stay in the review queue.',
  deleted: 'Word rule deleted.',
});
