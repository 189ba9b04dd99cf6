import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { Checkbox } from '../../../ui/index.ts';
import './webhooks.css';

/** The nouns whose event types the form offers. A webhook may also subscribe to other types. */
const nouns = [
  'message',
  'reaction',
  'thread',
  'pin',
  'channel',
  'category',
  'emoji',
  'serverMember',
  'role',
  'userRole',
  'invite',
  'serverBan',
  'server',
  'attachment',
  'app',
  'appInstall',
  'flow',
  'secret',
  'webhook',
] as const;

/**
 * The checkboxes named `type` for event types. An error about them is shown above the form instead of at
 * each checkbox.
 */
export function EventTypes({ chosen }: { chosen: readonly string[] }) {
  const all = nouns.map((noun) => `${noun}.*`);
  const others = chosen.filter((type) => !all.includes(type));
  return (
    <fieldset className="setting-event-types">
      <legend className="field-label">{t.someTypes}</legend>
      {nouns.map((noun) => (
        <Checkbox
          key={noun}
          name="type"
          value={`${noun}.*`}
          label={t.nouns[noun]}
          defaultOn={chosen.includes(`${noun}.*`)}
        />
      ))}
      {others.map((type) => (
        <Checkbox key={type} name="type" value={type} label={type} defaultOn />
      ))}
    </fieldset>
  );
}
