/** Sign-up policies: open to anyone, to people invited to a server, or only by a link from the operator. */
export const signUps = ['open', 'invite', 'closed'] as const;
export type SignUp = (typeof signUps)[number];

/** The users who may create servers: everybody, or only platform admins. */
export const serverCreators = ['anybody', 'admins'] as const;
export type ServerCreators = (typeof serverCreators)[number];

/** A setting that accepts one of a few words. */
interface WordSetting {
  values: readonly string[];
  default: string;
  about: string;
}

/** A numeric setting: whole numbers from `min` to `max`, inclusive. */
interface NumberSetting {
  min: number;
  max: number;
  default: number;
  about: string;
}

/**
 * Settings that platform admins can change at runtime. They are read on every use, so changes apply without
 * a restart.
 */
export const runtimeSettings = {
  signUp: {
    values: signUps,
    default: 'invite' as SignUp,
    about:
      'Sign-up: open (anyone), invite (anyone with an invite to a server), or closed (only with a link from the operator)',
  },
  serverCreators: {
    values: serverCreators,
    default: 'anybody' as ServerCreators,
    about: 'Server creation: anybody, or admins (platform admins only)',
  },
  serversPerPerson: {
    min: 1,
    max: 10_000,
    default: 100,
    about: 'Maximum number of servers that a person can own',
  },
  personMegabytes: {
    min: 0,
    max: 100_000_000,
    default: 10_000,
    about:
      'Maximum total size of the files and images of a person and of the agents of their servers, in megabytes; 0 for no limit',
  },
  storageMegabytes: {
    min: 0,
    max: 100_000_000,
    default: 0,
    about: 'Maximum total size of all files and images, in megabytes; 0 for no limit',
  },
  fileMegabytes: { min: 1, max: 4096, default: 25, about: 'Maximum size of an uploaded file, in megabytes' },
  eventDays: { min: 1, max: 3650, default: 30, about: 'Retention of events, in days' },
} as const satisfies Record<string, WordSetting | NumberSetting>;

export type RuntimeSettingName = keyof typeof runtimeSettings;
export type RuntimeSettings = {
  readonly [K in RuntimeSettingName]: (typeof runtimeSettings)[K] extends { values: readonly (infer Word)[] }
    ? Word
    : number;
};

export const runtimeSettingNames = Object.keys(runtimeSettings) as RuntimeSettingName[];

/** Returns the bounds of a numeric setting; undefined for a setting that accepts words. */
export function boundsOf(name: RuntimeSettingName): { min: number; max: number } | undefined {
  const row = runtimeSettings[name];
  return 'min' in row ? { min: row.min, max: row.max } : undefined;
}

/** Returns the words that a setting accepts; empty for a numeric setting. */
export function valuesOf(name: RuntimeSettingName): readonly string[] {
  const row = runtimeSettings[name];
  return 'values' in row ? row.values : [];
}

/** Whether the setting accepts the value. */
export function mayBe(name: RuntimeSettingName, value: unknown): boolean {
  const bounds = boundsOf(name);
  if (!bounds) return valuesOf(name).includes(value as string);
  return Number.isInteger(value) && Number(value) >= bounds.min && Number(value) <= bounds.max;
}
