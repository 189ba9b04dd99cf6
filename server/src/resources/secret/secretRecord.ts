import type { RowOf } from '../../db/schema.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type, unstable } from '../../lib/schema.ts';
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
  creatorId: nullable(id('The user who made it; null if the operator did')),
  preview: unstable(
    text({ max: 100, examples: ['sk_live_plv_…x7Qd'], description: 'Enough to tell it from others' }),
  ),
  expiresAt: nullable(time('Null for never')),
  lastUsedAt: nullable(time('Written at most once a minute')),
};

const earlier = {
  earlier: optional(
    Type.Object(
      { preview: fields.preview, until: time('The end of the earlier value') },
      { description: 'Of an apiKey that was rotated: the value before, while it is valid' },
    ),
  ),
};

export const secret = record('Secret', { ...fields, ...earlier });
const toPlain = recordOf(record('Secret', fields));

/** The record of a secret. `earlier` exists only after a rotation with an overlap. */
export function toSecret(row: RowOf<'secret'> & { lastUsedAt?: number | null | undefined }) {
  const { earlierPreview: preview, earlierUntil: until } = row;
  const isRotated = preview !== null && until !== null;
  return { ...toPlain(row), ...(isRotated && { earlier: { preview, until } }) };
}

export const secretEvents = eventsOf(
  'secret',
  { data: secret, audience: 'secrets' },
  {
    created: "An API key was minted, or an app's secret stored",
    updated: 'An API key was rotated',
    deleted: "An API key was revoked, or an app's secret deleted",
  },
);

/** The response to an insert or rotation: the only one with the key's value. */
export const newSecret = record('NewSecret', {
  ...fields,
  ...earlier,
  key: optional(
    text({
      max: 100,
      description: 'Of an apiKey: the key itself. Keep it: no other answer has it',
      examples: ['sk_live_plv_…'],
    }),
  ),
});
