import { texts } from '../texts.ts';

/** Server settings: words that hold or refuse messages. */
export const wordRuleSettings = texts({
  title: 'Word rules',
  lead: "Words that need approval or aren't allowed. They apply to messages, edits and names of threads, but not to moderators or direct messages.",
  forbidden: "You don't have access to word rules.",
  none: 'No word rules',
  noneMore: 'Add words to check messages before members see them.',
  create: 'New word rule',
  edit: 'Edit word rule',
  pattern: 'Words',
  patternHint:
    'Case, accents and punctuation are ignored. “*” stands for any letters within a word, as in “cheap watch*”.',
  action: 'Messages with these words',
  actions: { hold: 'Wait for a moderator', refuse: 'Are refused' },
  saved: 'Word rule saved.',
  ask: 'Delete the rule for “{pattern}”?',
  askMore: 'Messages that it holds keep waiting.',
  deleted: 'Word rule deleted.',
});
