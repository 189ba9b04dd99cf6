import { Provider } from './provider.ts';
import type { ProviderSettings } from './settings.ts';

/** The server's providers, in the order of the settings. */
export class Providers {
  readonly #byId: ReadonlyMap<string, Provider>;

  /** `address` is the public address of this server. Providers redirect to it. */
  constructor(settings: readonly ProviderSettings[], address: string) {
    this.#byId = new Map(settings.map((one) => [one.id, new Provider(one, address)]));
  }

  get all(): Provider[] {
    return [...this.#byId.values()];
  }

  get(id: string): Provider | undefined {
    return this.#byId.get(id);
  }

  /** Returns the provider with this issuer; undefined if it is no longer configured. */
  of(issuer: string): Provider | undefined {
    return this.all.find(({ settings }) => settings.issuer === issuer);
  }
}
