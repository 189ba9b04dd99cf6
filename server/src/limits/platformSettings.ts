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

/** A node's own value for a setting. It applies unless a platform admin has changed the setting. */
interface OwnSetting<V> {
  value: V;
  source: 'flag' | 'environment' | 'file' | 'default';
}

/** A start setting of a node, for display. */
interface StartSetting {
  name: string;
  /** The value as JSON, without passwords and keys. */
  value: unknown;
  source: OwnSetting<unknown>['source'];
  environment: string;
}

/** A function that loads all start settings, which are rarely requested. */
export type StartSettings = () => Promise<readonly StartSetting[]>;

export type OwnSettings = { readonly [K in RuntimeSettingName]: OwnSetting<RuntimeSettings[K]> };

/** Returns a node's own settings: the given values, with defaults for the rest. */
export const ownSettings = (given: Partial<OwnSettings> = {}): OwnSettings =>
  Object.fromEntries(
    runtimeSettingNames.map((name) => [
      name,
      given[name] ?? { value: runtimeSettings[name].default, source: 'default' },
    ]),
  ) as OwnSettings;

/**
 * The current platform settings: those in the database, and this node's own for the rest. A change takes
 * effect on every node as fast as a permission change. The values are cached until they change.
 */
export class PlatformSettings {
  readonly own: OwnSettings;
  /** All start settings of this node. */
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

  /** Returns the values in effect. Call this outside of transactions. */
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

/** Returns the settings that were changed at runtime. Omits values that are unknown to this version. */
export async function changedSettings(db: Reader): Promise<Partial<RuntimeSettings>> {
  const row = await db.first(find('platform', { id: PLATFORM_ID }));
  const settings = row?.settings ?? {};
  const known = runtimeSettingNames.filter((name) => mayBe(name, settings[name]));
  return Object.fromEntries(known.map((name) => [name, settings[name]])) as Partial<RuntimeSettings>;
}
