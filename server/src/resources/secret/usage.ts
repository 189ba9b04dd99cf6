import { COUNTED_HOURS } from '../../access/keyCounts.ts';
import { Type } from '../../lib/schema.ts';
import { count, id, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { serverTarget } from '../common.ts';

const hour = Type.Object({
  at: time('The start of the hour'),
  answered: count('All other requests, successful or not', 120),
  refused: count('Requests rejected with 403'),
  limited: count('Requests rejected with 429'),
});

const keyUsage = Type.Object(
  {
    since: time('When counting started'),
    hours: count('Number of hours counted, including the current one', COUNTED_HOURS),
    keys: Type.Array(
      Type.Object({
        secretId: id('The API key, which may have been revoked in the meantime'),
        hours: Type.Array(hour, { description: 'Hours with requests, earliest first' }),
      }),
      { description: 'Keys without requests are omitted' },
    ),
  },
  { $id: 'KeyUsage', title: 'KeyUsage', additionalProperties: false },
);

export const secretUsage = read({
  operation: 'secretUsage',
  people: true,
  path: '/servers/:serverId/key-usage',
  tag: 'secret',
  kind: 'view',
  summary: "Get the hourly requests of a server's API keys",
  description:
    'Each node counts its own requests in memory, so the response covers only the responding node, and a restart resets the counts.',
  visible: 'secrets',
  answer: keyUsage,
  target: serverTarget,
  async run({ services: { keyCounts } }, { params }, target) {
    await target;
    const { since } = keyCounts;
    const keys = keyCounts.of(params.serverId).map(({ keyId, hours }) => ({ secretId: keyId, hours }));
    return { since, hours: COUNTED_HOURS, keys };
  },
});
