import { weekdayName } from '../../../strings/calendar.ts';
import { flowEditor } from '../../../strings/en/flowEditor.ts';
import { duration, list } from '../../../strings/format.ts';
import { testsOf } from './condition.ts';
import { planOf, timeOf, two } from './cron.ts';
import { type Draft, type DraftStep, type Fields, isFields } from './draft.ts';
import { eventTypes, type Insertable, valuesBefore } from './values.ts';

const t = flowEditor.sentence;

/** Longer text is truncated. */
const MAX_CHARACTERS = 60;

/** The name of a channel, role or flow by its id; undefined if it is unknown. */
export type NameOf = (id: string) => string | undefined;

interface Words {
  nameOf: NameOf;
  values: readonly Insertable[];
}

/** Describes in a sentence what a flow will do. */
export function sentenceOf(draft: Draft, nameOf: NameOf): string {
  const words = { nameOf, values: valuesBefore(draft) };
  const condition = conditionIn(draft.trigger.where, words);
  const when = whenOf(draft.trigger);
  const start = condition === '' ? when : t.onlyIf({ when, condition });
  return draft.steps.length === 0
    ? t.nothing({ when: start })
    : t.whole({ when: start, steps: all(draft.steps, words) });
}

function whenOf(trigger: Fields): string {
  switch (trigger.on) {
    case 'event': {
      const type = eventTypes.find((one) => one === trigger.type);
      return t.event({ event: type ? flowEditor.events[type] : String(trigger.type) });
    }
    case 'schedule':
      return scheduleIn(trigger);
    case 'hook':
      return t.hook;
    case 'command':
      return t.command({ name: `/${trigger.command ?? ''}` });
    case 'button':
      return t.button({ id: String(trigger.actionId ?? '') });
    case 'manual':
      return t.manual;
    default:
      return t.event({ event: String(trigger.on) });
  }
}

function scheduleIn({ cron, timeZone }: Fields): string {
  const plan = planOf(String(cron));
  const zone = String(timeZone);
  if (!plan) return t.cron({ cron: String(cron), zone });
  if (plan.repeat === 'hourly') return t.hourly({ minute: two(plan.minute) });
  const time = timeOf(plan);
  const day = weekdayName(plan.weekday);
  return { daily: t.daily, weekdays: t.weekdays, weekly: t.weekly, monthly: t.monthly }[plan.repeat]({
    ...{ time, zone, day },
  });
}

const all = (steps: readonly DraftStep[], words: Words): string =>
  steps.map((step) => stepIn(step, words)).reduce((before, next) => t.next({ before, next }));

function stepIn({ fields, inner }: DraftStep, words: Words): string {
  const of = (name: string) => shown(fields[name], words);
  const inside = (steps: readonly DraftStep[] | undefined) =>
    steps?.length ? all(steps, words) : t.nothingMore;
  switch (fields.do) {
    case 'message.send':
      return t.send({
        text: of('content'),
        place: of(fields.threadId === undefined ? 'channelId' : 'threadId'),
      });
    case 'message.update':
      return t.update({ message: of('messageId'), text: of('content') });
    case 'reaction.add':
      return t.react({ emoji: of('emoji'), message: of('messageId') });
    case 'pin.add':
      return t.pin({ message: of('messageId') });
    case 'thread.create':
      return fields.title === undefined ? t.threadPlain : t.thread({ title: of('title') });
    case 'role.give':
      return t.give({ person: of('userId'), role: of('roleId') });
    case 'role.take':
      return t.take({ person: of('userId'), role: of('roleId') });
    case 'channel.create':
      return t.channel({ title: of('title') });
    case 'wait':
      return waitIn(fields, words);
    case 'ask':
      return t.ask({ text: of('content'), count: Number(fields.deciders ?? 1) || 1 });
    case 'if': {
      const condition = conditionIn(fields.where, words);
      const given = { condition, steps: inside(inner.then) };
      return inner.else?.length ? t.ifElse({ ...given, others: inside(inner.else) }) : t.if(given);
    }
    case 'each':
      return t.each({ items: of('items'), steps: inside(inner.steps) });
    case 'set':
      return t.set;
    case 'http.call':
      return t.call({ url: of('url') });
    case 'flow.call':
      return t.flow({ name: of('flowId') });
    default:
      return String(fields.do);
  }
}

function waitIn({ seconds, until, event }: Fields, words: Words): string {
  const time = typeof seconds === 'number' ? duration(seconds) : undefined;
  if (!isFields(event))
    return time === undefined ? t.until({ time: shown(until ?? seconds, words) }) : t.wait({ time });
  const { type } = event;
  const known = eventTypes.find((one) => one === type);
  const what = known ? flowEditor.events[known] : String(type);
  return time === undefined ? t.awaited({ event: what }) : t.awaitedAtMost({ event: what, time });
}

function conditionIn(condition: unknown, words: Words): string {
  const parsed = testsOf(condition);
  if (!parsed) return t.complex;
  const each = parsed.tests.map(({ path, test, than }) => {
    const subject = `[${words.values.find((value) => value.path === path)?.label ?? path}]`;
    const how = flowEditor.tests[test];
    return test === 'isEmpty' || test === 'isNotEmpty'
      ? `${subject} ${how}`
      : `${subject} ${how} “${shown(than, words)}”`;
  });
  return parsed.join === 'all'
    ? list(each)
    : each.length > 0
      ? each.reduce((before, next) => t.or({ before, next }))
      : '';
}

/** The text with names instead of ids, and labels instead of templates. */
function shown(value: unknown, { nameOf, values }: Words): string {
  if (value === undefined || value === null || value === '') return '…';
  if (typeof value !== 'string') return JSON.stringify(value).slice(0, MAX_CHARACTERS);
  const text = (nameOf(value) ?? value).replace(
    /\{\{\s*([\w.-]+)[^}]*\}\}/g,
    (_, path: string) => `[${values.find((one) => one.path === path)?.label ?? path}]`,
  );
  const characters = [...text];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : text;
}
