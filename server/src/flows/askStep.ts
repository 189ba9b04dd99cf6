import { placeOf } from './messageSteps.ts';
import { type Filled, field, filled, isGiven, MAX_WAIT_SECONDS, needed, type StepType } from './stepType.ts';

/** Maximum number of people whose answers a question can require. */
const MAX_DECIDERS = 20;

/** The id of the block with a question's buttons, and of the element with its form. */
export const ASK_BLOCK = 'ask';
const FORM = 'form';

/** The step that asks people a question. Its output contains their answers. */
export const askSteps = {
  ask: {
    words:
      'Sends a message with buttons or a form, and waits for the answer. Its output is `answer` (the id of the button, or `form`), `values` (of a form), `answers` and `timedOut`',
    fields: {
      channelId: field('id', 'The channel'),
      threadId: field('id', 'The thread, instead of a channel'),
      userId: field('id', 'The only person who can answer. Without a channel, they get a direct message'),
      roleId: field('id', 'In a channel, only members with this role can answer'),
      content: needed('text', 'The question'),
      buttons: field('buttons', 'The possible answers'),
      form: field('form', 'A form to fill in'),
      deciders: field(
        { from: 1, to: MAX_DECIDERS },
        'The number of different people who have to answer; 1 by default',
      ),
      seconds: field({ from: 1, to: MAX_WAIT_SECONDS }, 'The time to wait; 30 days by default'),
      timeoutText: field('text', 'Shown in the message if the question times out'),
    },
    flags: ['canEditData'],
    problemIn(step) {
      const isInChannel = isGiven(step.channelId) || isGiven(step.threadId);
      if (!isInChannel && !isGiven(step.userId))
        return { field: 'channelId', message: 'is required without threadId or userId' };
      if (!isInChannel && isGiven(step.roleId))
        return { field: 'roleId', message: 'needs a channel in which its members answer' };
      if (!isGiven(step.buttons) && !isGiven(step.form))
        return { field: 'buttons', message: 'is required without form' };
      if (isGiven(step.userId) && !isGiven(step.roleId) && Number(step.deciders ?? 1) > 1)
        return { field: 'deciders', message: 'must be 1 if only one person is asked' };
      return undefined;
    },
    does: 'ask',
    async run(writing, step) {
      const to = await placeOf(writing, step);
      return writing.perform('messageSend', {
        body: { ...to, ...filled(step, 'content'), blocks: [blockOf(step)] },
      });
    },
  },
} satisfies Record<string, StepType>;

/** Returns the number of people who have to answer. */
export const decidersOf = ({ deciders }: Filled): number => Number(deciders ?? 1) || 1;

/** Returns the block of a question. If the step names a person or a role, only they can answer it. */
function blockOf(step: Filled): object {
  const { buttons, form, userId, roleId } = step;
  const isDirect = !isGiven(step.channelId) && !isGiven(step.threadId);
  const userIds = isGiven(userId) && !isDirect ? [userId] : [];
  const roleIds = isGiven(roleId) ? [roleId] : [];
  const count = decidersOf(step);
  return {
    type: 'actions',
    id: ASK_BLOCK,
    elements: [
      ...(Array.isArray(buttons) ? buttons.map((button) => ({ ...(button as object), type: 'button' })) : []),
      ...(isGiven(form) ? [{ ...(form as object), type: 'form', id: FORM }] : []),
    ],
    ...(userIds.length + roleIds.length > 0 && {
      deciders: { userIds, roleIds, ...(count > 1 && { count }) },
    }),
  };
}

/** An answer to a question. */
export interface Answer {
  userId: string;
  /** The id of the button; `form` for a form. */
  answer: string;
  /** The values of a form. */
  values: object | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** Returns the output of a question. `answer` is null unless everybody gave the same answer. */
export function outcomeOf(answers: readonly Answer[], needed: number) {
  const [first] = answers;
  const isOne = first !== undefined && answers.every(({ answer }) => answer === first.answer);
  const timedOut = answers.length < needed;
  return {
    answer: isOne && !timedOut ? first.answer : null,
    values: answers.find(({ values }) => values !== null)?.values ?? null,
    answers,
    timedOut,
  };
}
