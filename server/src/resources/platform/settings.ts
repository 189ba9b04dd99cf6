import { conditions, requireCondition } from '../../access/conditions.ts';
import { lockPlatform } from '../../db/platform.ts';
import { find, update } from '../../db/statements.ts';
import { PLATFORM_ID } from '../../db/tables/platform.ts';
import { invalid, notFound } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { act } from '../../operations/act.ts';
import { body, nullable, oneOf, text } from '../../operations/fields.ts';
import {
  changedSettings,
  type OwnSettings,
  type RuntimeSettingName,
  runtimeSettings,
} from '../../operations/platformSettings.ts';
import { read } from '../../operations/read.ts';
import { recordAct } from '../audit.ts';

const word = (description: string, example: string) => text({ max: 100, description, examples: [example] });

const platformSetting = Type.Object(
  {
    name: oneOf(Object.keys(runtimeSettings)),
    about: text({ max: 1000 }),
    values: Type.Array(word('A value that it may have', 'invite'), {
      examples: [['open', 'invite', 'closed']],
    }),
    value: word('The value that counts', 'open'),
    source: oneOf(
      ['platform', 'flag', 'environment', 'file', 'default'],
      'The place from which the value comes: `platform` if it was changed here',
    ),
    own: word('The value without a change here: of the node that answers', 'invite'),
    ownSource: oneOf(['flag', 'environment', 'file', 'default']),
  },
  { $id: 'PlatformSetting', title: 'PlatformSetting', additionalProperties: false },
);

const shown = (
  own: OwnSettings,
  changed: Partial<Record<RuntimeSettingName, string>>,
  name: RuntimeSettingName,
) => ({
  name,
  about: runtimeSettings[name].about,
  values: [...runtimeSettings[name].values],
  value: changed[name] ?? own[name].value,
  source: changed[name] === undefined ? own[name].source : 'platform',
  own: own[name].value,
  ownSource: own[name].source,
});

const names = Object.keys(runtimeSettings) as RuntimeSettingName[];

export const platformSettingOperations = [
  read({
    operation: 'platformSettings',
    people: true,
    path: '/platform/settings',
    tag: 'platform',
    summary: 'Settings that may change while Palaver runs',
    visible: 'platform',
    answer: platformSetting,
    list: 'many',
    target: ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
    async run({ db, settings }) {
      const changed = await changedSettings(db);
      return { records: names.map((name) => shown(settings.own, changed, name)), next: null };
    },
  }),

  act({
    operation: 'platformSettingUpdate',
    people: true,
    method: 'PATCH',
    path: '/platform/settings/:name',
    resource: 'platform',
    verb: 'update',
    summary: 'Change a setting',
    description:
      'It counts on every node within a second, before that of the environment, until it is changed to null. It asks for a proof of who you are.',
    body: body({ value: nullable(word('Null for that of the environment', 'open')) }),
    answer: platformSetting,
    async run({ write, settings }, { params, body: { value } }) {
      const name = names.find((one) => one === params.name);
      if (!name) throw notFound('setting');
      const { values } = runtimeSettings[name];
      if (value !== null && !(values as readonly string[]).includes(value))
        throw invalid('unknown_value', 'value', `must be one of ${values.join(', ')}`);
      const changed = await write(async (work) => {
        const { db, now } = work;
        requireCondition(work.principal, conditions.proven, work);
        await lockPlatform(db, now);
        const row = await db.first(find('platform', { id: PLATFORM_ID }));
        const { [name]: _before, ...rest } = row?.settings ?? {};
        const changed = { ...rest, ...(value !== null && { [name]: value }) };
        await db.run(update('platform', PLATFORM_ID, { settings: changed, updatedAt: now }));
        await recordAct(work, 'setting change', { setting: name, value });
        return changed as Partial<Record<RuntimeSettingName, string>>;
      });
      return { data: shown(settings.own, changed, name) };
    },
  }),
];
