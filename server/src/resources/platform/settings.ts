import { lockPlatform } from '../../db/platform.ts';
import { find, update } from '../../db/statements.ts';
import { PLATFORM_ID } from '../../db/tables/platform.ts';
import { invalid, notFound } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { changedSettings, type OwnSettings } from '../../limits/platformSettings.ts';
import {
  boundsOf,
  mayBe,
  type RuntimeSettingName,
  type RuntimeSettings,
  runtimeSettingNames,
  runtimeSettings,
  valuesOf,
} from '../../limits/runtime.ts';
import { act } from '../../operations/act.ts';
import { requireProven } from '../../operations/call.ts';
import { body, count, flag, nullable, oneOf, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { ownTarget } from '../common.ts';
import { recordAct } from '../recordAct.ts';

const word = (description: string, example: string) => text({ max: 100, description, examples: [example] });

const platformSetting = Type.Object(
  {
    name: oneOf(runtimeSettingNames),
    about: text({ max: 1000 }),
    values: Type.Array(word('An allowed value', 'invite'), {
      description: 'The allowed values; empty for numbers',
      examples: [['open', 'invite', 'closed']],
    }),
    min: nullable(count('The minimum of a number; null for other settings')),
    max: nullable(count('The maximum of a number; null for other settings')),
    value: word('The effective value; numbers as text', 'open'),
    source: oneOf(
      ['platform', 'flag', 'environment', 'file', 'default'],
      'The source of the value: `platform` if it was changed here',
    ),
    own: word(
      'The value that is configured on the responding node, which applies if the setting was not changed here',
      'invite',
    ),
    ownSource: oneOf(['flag', 'environment', 'file', 'default']),
  },
  { $id: 'PlatformSetting', title: 'PlatformSetting', additionalProperties: false },
);

const startSetting = Type.Object(
  {
    name: text({ max: 100, examples: ['port'] }),
    value: text({
      max: 100_000,
      description: 'The value as JSON, without passwords and keys',
      examples: ['8080'],
    }),
    source: oneOf(['flag', 'environment', 'file', 'default'], 'The source of the value'),
    environment: text({
      max: 100,
      description: 'The environment variable that sets it',
      examples: ['PALAVER_PORT'],
    }),
    canChange: flag('Whether `PATCH /api/people/platform/settings/:name` can change it at runtime'),
  },
  { $id: 'StartSetting', title: 'StartSetting', additionalProperties: false },
);

const shown = (own: OwnSettings, changed: Partial<RuntimeSettings>, name: RuntimeSettingName) => ({
  name,
  about: runtimeSettings[name].about,
  values: [...valuesOf(name)],
  min: boundsOf(name)?.min ?? null,
  max: boundsOf(name)?.max ?? null,
  value: String(changed[name] ?? own[name].value),
  source: changed[name] === undefined ? own[name].source : 'platform',
  own: String(own[name].value),
  ownSource: own[name].source,
});

/** Parses the value of a setting. Throws INVALID_REQUEST if it is not allowed. */
function valueFrom(name: RuntimeSettingName, text: string): string | number {
  const bounds = boundsOf(name);
  const value = bounds && /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (mayBe(name, value)) return value;
  if (bounds)
    throw invalid('out_of_range', 'value', `must be a whole number from ${bounds.min} to ${bounds.max}`);
  throw invalid('unknown_value', 'value', `must be one of ${valuesOf(name).join(', ')}`);
}

export const platformSettingOperations = [
  read({
    operation: 'platformSettings',
    people: true,
    path: '/platform/settings',
    tag: 'platform',
    summary: 'List runtime settings',
    visible: 'platform',
    answer: platformSetting,
    list: 'many',
    target: ownTarget,
    async run({ db, services: { settings } }) {
      const changed = await changedSettings(db);
      return { records: runtimeSettingNames.map((name) => shown(settings.own, changed, name)), next: null };
    },
  }),

  read({
    operation: 'platformStartSettings',
    people: true,
    path: '/platform/start-settings',
    tag: 'platform',
    summary: 'List the settings of the responding node',
    visible: 'platform',
    answer: startSetting,
    list: 'many',
    target: ownTarget,
    async run({ services: { settings } }) {
      const records = (await settings.started()).map(({ name, value, source, environment }) => ({
        ...{ name, source, environment, value: JSON.stringify(value) },
        canChange: (runtimeSettingNames as string[]).includes(name),
      }));
      return { records, next: null };
    },
  }),

  act({
    operation: 'platformSettingUpdate',
    people: true,
    path: '/platform/settings/:name',
    resource: 'platform',
    verb: 'update',
    summary: 'Change a runtime setting',
    description:
      'Takes effect on every node within a second, and overrides the configured value until you set it to null. Requires a confirmed identity.',
    body: body({
      value: nullable(word('A word, or a number as text. Null restores the configured value', 'open')),
    }),
    answer: platformSetting,
    async run({ write, services: { settings } }, { params, body: { value } }) {
      const name = runtimeSettingNames.find((one) => one === params.name);
      if (!name) throw notFound('setting');
      const next = value === null ? null : valueFrom(name, value);
      const changed = await write(async (work) => {
        const { db, now } = work;
        requireProven(work);
        await lockPlatform(db, now);
        const row = await db.first(find('platform', { id: PLATFORM_ID }));
        const { [name]: _before, ...rest } = row?.settings ?? {};
        const changed = { ...rest, ...(next !== null && { [name]: next }) };
        await db.run(update('platform', PLATFORM_ID, { settings: changed, updatedAt: now }));
        await recordAct(work, 'setting change', { setting: name, value: next });
        return changed as Partial<RuntimeSettings>;
      });
      return { data: shown(settings.own, changed, name) };
    },
  }),
];
