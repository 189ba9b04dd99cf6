import { eventsOf } from '../../feed/eventKind.ts';
import { sampleId } from '../../operations/examples.ts';
import { id, name, nullable, oneOf, optional, record, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

const fields = {
  serverId: id(),
  kind: oneOf(['apiKey', 'appSecret']),
  name: name(undefined, 'Deploy bot'),
  roleId: nullable(id('Of an apiKey: its role'), sampleId('role')),
  userId: nullable(id('Of an apiKey: the user as which it acts'), sampleId('user')),
  appId: nullable(id('Of an appSecret: the app')),
  preview: text({ max: 100, examples: ['sk_live_plv_…x7Qd'], description: 'Enough to tell it from others' }),
  expiresAt: nullable(time('Null for never')),
  lastUsedAt: nullable(time('Written at most once a minute')),
};

export const secret = record('Secret', fields);
export const toSecret = recordOf(secret);

export const secretEvents = eventsOf(
  'secret',
  { data: secret, audience: 'secrets' },
  {
    created: "An API key was minted, or an app's secret stored",
    deleted: "An API key was revoked, or an app's secret deleted",
  },
);

/** The answer to an insert: the only one that has the key. */
export const newSecret = record('NewSecret', {
  ...fields,
  key: optional(
    text({
      max: 100,
      description: 'Of an apiKey: the key itself. Keep it: no other answer has it',
      examples: ['sk_live_plv_…'],
    }),
  ),
});
