import type { Db, Reader } from '../db/contract.ts';
import { find } from '../db/statements.ts';
import { PLATFORM_ID } from '../db/tables/platform.ts';
import {
  mayBe,
  type RuntimeSettingName,
  type RuntimeSettings,
  runtimeSettingNames,
  runtimeSettings,
} from './runtime.ts';

/** A node's own value of a setting, which counts unless a platform admin has changed it. */
interface OwnSetting<V> {
  value: V;
  source: 'flag' | 'environment' | 'file' | 'default';
}

/** A setting with which a node was started, for people to look at. */
interface StartSetting {
  name: string;
  /** As JSON takes it, without passwords and keys. */
  value: unknown;
  source: OwnSetting<unknown>['source'];
  environment: string;
}

/** All of them, which few people ask for. */
export type StartSettings = () => Promise<readonly StartSetting[]>;

export type OwnSettings = { readonly [K in RuntimeSettingName]: OwnSetting<RuntimeSettings[K]> };

/** A node's own settings: those given, or else the defaults. */
export const ownSettings = (given: Partial<OwnSettings> = {}): OwnSettings =>
  Object.fromEntries(
    runtimeSettingNames.map((name) => [
      name,
      given[name] ?? { value: runtimeSettings[name].default, source: 'default' },
    ]),
  ) as OwnSettings;

/**
 * The settings of the platform as they are now: those in the database, or else this node's own. A change counts on every node as soon as
 * a change of permissions does: nothing is read until there was one.
 */
export class PlatformSettings {
  readonly own: OwnSettings;
  /** All settings with which this node was started. */
  readonly started: StartSettings;
  readonly #db: Pick<Db, 'read' | 'authorityVersion' | 'authorityHasChanged'>;
  #known: { values: RuntimeSettings; version: number } | undefined;

  constructor(
    db: Pick<Db, 'read' | 'authorityVersion' | 'authorityHasChanged'>,
    own: OwnSettings,
    started: StartSettings,
  ) {
    this.#db = db;
    this.own = own;
    this.started = started;
  }

  /** The values that count. Call it outside of transactions. */
  async current(): Promise<RuntimeSettings> {
    const known = this.#known;
    if (known && !this.#db.authorityHasChanged(known.version, { serverId: PLATFORM_ID, userId: null }))
      return known.values;
    const version = this.#db.authorityVersion();
    const changed = await changedSettings(this.#db.read);
    const values = Object.fromEntries(
      runtimeSettingNames.map((name) => [name, changed[name] ?? this.own[name].value]),
    ) as unknown as RuntimeSettings;
    this.#known = { values, version };
    return values;
  }
}

/** The settings that were changed at runtime. A value that this version does not know is left out. */
export async function changedSettings(db: Reader): Promise<Partial<RuntimeSettings>> {
  const row = await db.first(find('platform', { id: PLATFORM_ID }));
  const settings = row?.settings ?? {};
  const known = runtimeSettingNames.filter((name) => mayBe(name, settings[name]));
  return Object.fromEntries(known.map((name) => [name, settings[name]])) as Partial<RuntimeSettings>;
}
