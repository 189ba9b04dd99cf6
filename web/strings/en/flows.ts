import { texts } from '../texts.ts';

/** Server settings: flows. */
export const flowSettings = texts({
  title: 'Flows',
  lead: 'Palaver runs the steps of a flow when an event occurs, on a schedule, or manually.',
  unseen: "You don't have access to flows.",
  create: 'New flow',
  find: 'Find a flow',
  none: 'No flows yet',
  noneMore: 'Create one to greet new members or reply to messages.',
  isOn: 'On',
  isOff: 'Off',
  on: 'Flow turned on.',
  off: 'Flow turned off.',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  view: 'View',
  runs: 'Runs',
  note: 'Note',
  noteMore: "stored for other programs; Palaver doesn't run it until you save it",
  disabled: 'turned off: {reason}',
  steps: '{count, plural, one {# step} other {# steps}}',
  try: 'Try it',
  hookOf: 'URL of {name}',
  hookMore: "Copy it now. You won't see it again. Anyone with this URL can start the flow.",
  hook: 'URL',
  curl: 'With curl',
  enabled: 'On',
  saved: 'Flow updated.',
  ask: 'Delete the flow “{name}”?',
  askMore: 'Its runs are stopped and deleted.',
  deleted: 'Flow “{name}” deleted.',
});

/** The runs of a flow. */
export const flowRuns = texts({
  title: 'Runs of {name}',
  runs: 'Runs',
  none: 'No runs',
  noneMore: 'Runs are kept for 30 days.',
  valuesClosed: 'You can see the status and times of runs, but not their data.',
  status: 'Filter by status',
  all: 'All',
  statuses: {
    running: 'Running',
    waiting: 'Waiting',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  stepStatuses: { done: 'Done', failed: 'Failed', waiting: 'Waiting', skipped: 'Skipped' },
  late: 'Late',
  triggers: {
    event: 'Event',
    schedule: 'Schedule',
    hook: 'Incoming HTTP request',
    command: 'Command',
    button: 'Button',
    manual: 'Started manually',
    flow: 'Started by a flow',
  },
  took: 'took {time}',
  wakes: 'continues {when}',
  runNow: 'Run now',
  started: 'Run started.',
  steps: 'Steps',
  cancel: 'Cancel run',
  cancelled: 'Run cancelled. Changes that its steps already made are kept.',
  retry: 'Retry',
  retried: 'The run continues with the step that failed.',
  again: 'Run again',
  startedAt: 'started {when}',
  endedAt: 'ended {when}',
  depth: '{count, plural, one {started by # flow} other {started by a chain of # flows}}',
  input: 'Input of the run',
  noSteps: 'No steps yet.',
  inputOf: 'Step {at}, {name}: input',
  outputOf: 'Step {at}, {name}: output',
  attempts: '{count, plural, one {# attempt} other {# attempts}}',
  week: 'Last 7 days: {count, plural, =0 {no runs} one {# run} other {# runs}}, {failed, plural, =0 {none failed} one {# failed} other {# failed}}.',
  weekCaption: 'Runs in the last 7 days',
  others: 'Other runs',
  dayTip: '{day}: {count, plural, one {# run} other {# runs}}, {failed} failed',
  counted: 'Based on the latest {count} runs.',
});

/** Choosing a template for a new flow. */
export const flowNew = texts({
  templates: 'Templates',
  scratch: 'Start from scratch',
  scratchMore: 'Choose what starts the flow, and add steps.',
  use: 'Use',
  useNamed: 'Use: {name}',
});

/** Trying a flow on recent events. */
export const flowTry = texts({
  title: 'Try {name}',
  lead: 'Shows what the saved flow would do for the last ten events of its type. Nothing is written or sent, and waits are skipped.',
  tries: 'Events',
  none: 'No events to try',
  noneMore: 'No recent events of this type are visible to both you and the flow.',
  again: 'Try again now',
  byHand: 'Started manually, without input',
  noMatch: "Wouldn't run",
  wouldRun: 'Would run',
  wouldFail: 'Would fail',
});

/** Flow templates, with the text of their steps. */
export const flowTemplates = texts({
  welcome: {
    title: 'Welcome new members',
    description: 'Greets each new member in a channel.',
    texts: { message: 'Welcome, @{member}! Say hello, and ask anything.' },
  },
  standup: {
    title: 'Stand-up at nine',
    description: 'Asks three questions every weekday, with a thread for the answers.',
    texts: {
      message:
        'Good morning. What did you do yesterday, what will you do today, and is anything blocking you?',
      thread: 'Stand-up',
    },
  },
  alerts: {
    title: 'Forward alerts',
    description: 'Copies messages that contain a word to another channel.',
    texts: { message: 'Alert: {content}' },
  },
  triage: {
    title: 'Triage by reaction',
    description: 'Starts a thread on each message that gets 👀.',
    texts: { thread: 'Triage', message: 'Someone is looking into this. Post updates here.' },
  },
  approval: {
    title: 'Approval by two people',
    description: 'Asks for a decision on messages with #approve, and waits until two people approve.',
    texts: {
      question: 'Approve this? {content}',
      approve: 'Approve',
      decline: 'Decline',
      approved: 'Approved by two people.',
      declined: 'Not approved.',
    },
  },
  questions: {
    title: 'Question reminders',
    description: 'Replies to a message that contains a question mark if no one answers it within four hours.',
    texts: { message: 'Has this question been answered?' },
  },
  rota: {
    title: 'On-call rota',
    description: 'Announces who is on call on the 1st of each month, and the next person two weeks later.',
    texts: { message: 'On call for the next two weeks: @{username}' },
  },
  digest: {
    title: 'Weekly digest',
    description: 'Fetches a list from another service every Friday, and posts its entries in a thread.',
    texts: { message: "This week's digest", thread: 'Digest' },
  },
  form: {
    title: 'Form to channel',
    description: 'Posts what people enter in a form on your website.',
    texts: { message: 'New form entry from {name}: {message}' },
  },
  webhook: {
    title: 'Webhook to thread',
    description: 'Posts each incoming HTTP request, with a thread for its details.',
    texts: { thread: 'Details' },
  },
});
