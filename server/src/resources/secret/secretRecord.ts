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
  roleId: nullable(id('The role of an apiKey'), sampleId('role')),
  userId: nullable(id('The user that an apiKey acts as'), sampleId('user')),
  appId: nullable(id('The app of an appSecret')),
  creatorId: nullable(id('The user who created it; null for the operator')),
  preview: unstable(
    text({
      max: 100,
      examples: ['sk_live_plv_…x7Qd'],
      description:
        'The prefix and last characters of an apiKey, or the last characters of a long appSecret, to help you recognize it',
    }),
  ),
  expiresAt: nullable(time('When an apiKey expires; null for never')),
  lastUsedAt: nullable(time('When it was last used; updated at most once a minute')),
};

const earlier = {
  earlier: optional(
    Type.Object(
      { preview: fields.preview, until: time('When the previous value expires') },
      { description: 'The previous value of a rotated apiKey, while it is valid' },
    ),
  ),
};

const MAX_HOSTS = 20;
const host = text({ max: 253, examples: ['api.example.com'] });

/** The hosts in a body. */
export const secretHosts = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: '^(\\*\\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$',
    examples: ['api.example.com'],
  }),
  {
    minItems: 1,
    maxItems: MAX_HOSTS,
    description:
      'The hosts that flows may send an appSecret to, in lowercase and without a port; `*.example.com` matches every name below example.com',
  },
);

const hosts = {
  hosts: optional(
    Type.Array(host, {
      description: 'The hosts that flows may send an appSecret to; absent if there are none',
    }),
  ),
};

export const secret = record('Secret', { ...fields, ...earlier, ...hosts });
const toPlain = recordOf(record('Secret', fields));

/** Returns the record of a secret. `earlier` is set only after a rotation with an overlap. */
export function toSecret(row: RowOf<'secret'> & { lastUsedAt?: number | null | undefined }) {
  const { earlierPreview: preview, earlierUntil: until } = row;
  const isRotated = preview !== null && until !== null;
  const { hosts } = row;
  return {
    ...toPlain(row),
    ...(isRotated && { earlier: { preview, until } }),
    ...(hosts !== null && { hosts }),
  };
}

export const secretEvents = eventsOf(
  'secret',
  { data: secret, audience: 'secrets' },
  {
    created: 'An API key or an app secret was created',
    updated: 'An API key was rotated',
    deleted: 'An API key was revoked, or an app secret was deleted',
  },
);

/** The response to an insert or rotation. No other response has the key's value. */
export const newSecret = record('NewSecret', {
  ...fields,
  ...earlier,
  ...hosts,
  key: optional(
    text({
      max: 100,
      description: 'The value of an apiKey. Store it: it is not shown again',
      examples: ['sk_live_plv_…'],
    }),
  ),
});
