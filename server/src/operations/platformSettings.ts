import type { Db, Reader } from '../db/contract.ts';
import { find } from '../db/statements.ts';
import { PLATFORM_ID } from '../db/tables/platform.ts';

/** The people who may sign up: all, those with an invite to a server, or none without a link of the operator. */
export type SignUp = 'open' | 'invite' | 'closed';

/** The settings that platform admins may change while the nodes run, with their words. */
export const runtimeSettings = {
  signUp: {
    values: ['open', 'invite', 'closed'],
    about:
      'Who may sign up: open for anybody, invite for whoever has an invite to a server, closed for nobody without a link of the operator',
  },
} as const satisfies Record<string, { values: readonly string[]; about: string }>;

export type RuntimeSettingName = keyof typeof runtimeSettings;
export type RuntimeSettings = {
  readonly [K in RuntimeSettingName]: (typeof runtimeSettings)[K]['values'][number];
};

/** A node's own value of a setting, which counts unless a platform admin has changed it. */
export interface OwnSetting<V = string> {
  value: V;
  source: 'flag' | 'environment' | 'file' | 'default';
}

export type OwnSettings = { readonly [K in RuntimeSettingName]: OwnSetting<RuntimeSettings[K]> };

/**
 * The settings of the platform as they are now: those in the database, or else this node's own. A change counts on every node as soon as
 * a change of permissions does: nothing is read until there was one.
 */
export class PlatformSettings {
  readonly own: OwnSettings;
  readonly #db: Pick<Db, 'read' | 'authorityVersion' | 'authorityHasChanged'>;
  #known: { values: RuntimeSettings; version: number } | undefined;

  constructor(db: Pick<Db, 'read' | 'authorityVersion' | 'authorityHasChanged'>, own: OwnSettings) {
    this.#db = db;
    this.own = own;
  }

  /** The values that count. Call it outside of transactions. */
  async current(): Promise<RuntimeSettings> {
    const known = this.#known;
    if (known && !this.#db.authorityHasChanged(known.version, { serverId: PLATFORM_ID, userId: null }))
      return known.values;
    const version = this.#db.authorityVersion();
    const changed = await changedSettings(this.#db.read);
    const values = Object.fromEntries(
      (Object.keys(runtimeSettings) as RuntimeSettingName[]).map((name) => [
        name,
        changed[name] ?? this.own[name].value,
      ]),
    ) as RuntimeSettings;
    this.#known = { values, version };
    return values;
  }
}

/** The settings that were changed at runtime. A value that this version does not know is left out. */
export async function changedSettings(db: Reader): Promise<Partial<RuntimeSettings>> {
  const row = await db.first(find('platform', { id: PLATFORM_ID }));
  const known = Object.entries(row?.settings ?? {}).filter(([name, value]) => {
    const { values } = runtimeSettings[name as RuntimeSettingName] ?? { values: [] };
    return (values as readonly unknown[]).includes(value);
  });
  return Object.fromEntries(known) as Partial<RuntimeSettings>;
}
