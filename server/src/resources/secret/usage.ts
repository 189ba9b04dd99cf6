import { COUNTED_HOURS } from '../../access/keyCounts.ts';
import { Type } from '../../lib/schema.ts';
import { count, id, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { load } from '../common.ts';

const hour = Type.Object({
  at: time('The beginning of the hour'),
  answered: count('Requests that were answered otherwise, with success or not', 120),
  refused: count('Requests that permissions refused: 403'),
  limited: count('Requests that a limit refused: 429'),
});

const keyUsage = Type.Object(
  {
    since: time('When the node began to count: its start, if that is not so long ago'),
    hours: count('So many hours are counted, the present one included', COUNTED_HOURS),
    keys: Type.Array(
      Type.Object({
        secretId: id('The API key; it may have been revoked since'),
        hours: Type.Array(hour, { description: 'Those with requests, earliest first' }),
      }),
      { description: 'Keys without requests are left out' },
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
  summary: 'Requests of the API keys of a server, by the hour',
  description:
    'As the node that answers has counted them in memory: of several nodes each has its own part, and a restart begins anew.',
  visible: 'secrets',
  answer: keyUsage,
  target: async ({ db }, { params }) => ({ serverId: (await load(db, 'server', params.serverId)).id }),
  async run({ services: { keyCounts } }, { params }, target) {
    await target;
    const { since } = keyCounts;
    const keys = keyCounts.of(params.serverId).map(({ keyId, hours }) => ({ secretId: keyId, hours }));
    return { since, hours: COUNTED_HOURS, keys };
  },
});
