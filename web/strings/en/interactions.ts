import { texts } from '../texts.ts';

/** Blocks in agents' messages. */
export const blocks = texts({
  choose: 'Choose…',
  submit: 'Submit',
  somebody: 'someone',
  tasks: '{done} of {count} done',
  states: { pending: 'Not started', working: 'In progress', done: 'Done', failed: 'Failed' },
  pending: 'Waiting for {name}…',
  done: 'Done',
  failed: "{name} couldn't do this. You can try again.",
  expired: "{name} didn't answer in time. You can try again.",
  pressed: 'done',
  onlyYou: 'Only you can see this',
  dismiss: 'Dismiss',
  decideFirst: '{names, list} can decide.',
  decideAll: 'Needs a decision from {names, list}.',
  decided: '{name} chose “{choice}” {when}',
  notAsked: "You can't decide this",
  alreadyDecided: "You've already decided",
  over: 'Already decided',
  removePreviews: 'Remove link previews',
});

/** Agents' commands. */
export const commands = texts({
  unknown: 'A command',
  options: {
    required: 'required',
    text: 'Text',
    number: 'Number',
  },
  missing: 'Option “{name}” is missing.',
  tooMany: "“{text}” doesn't match any option of this command.",
  twice: 'Option “{name}” appears more than once.',
  number: 'Option “{name}” must be a number.',
  boolean: 'Option “{name}” must be true or false.',
  choice: 'Option “{name}” must be one of {choices, list}.',
  user: 'Option “{name}” must be a member, such as @ada.',
  channel: 'Option “{name}” must be a channel, such as #general.',
});
