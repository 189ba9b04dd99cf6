/** A tenant below this fraction of a limit may use all of the limit. Others must leave this fraction free. */
export const RESERVED = 1 / 4;

/**
 * A limit of this node, shared by tenants: the last quarter is reserved for tenants that hold less than a
 * quarter. A single tenant may therefore use three quarters, with any number of users, and the rest is left
 * to others. `http/tenant.ts` defines what a tenant is.
 */
export class TenantShares {
  readonly most: number;
  readonly #held = new Map<string, number>();
  #amount = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** The total that all tenants hold. */
  get amount(): number {
    return this.#amount;
  }

  /** Returns the tenant that holds the most; undefined if no tenant holds anything. */
  get largest(): string | undefined {
    const [first] = [...this.#held].sort(([, one], [, other]) => other - one);
    return first?.[0];
  }

  /** Whether the whole limit is used up. */
  get isFull(): boolean {
    return this.#amount >= this.most;
  }

  /**
   * Whether a tenant has used up its share: it holds at least a quarter, and one more would leave less than a
   * quarter free.
   */
  isUsedUpBy(tenant: string): boolean {
    return this.#amount + 1 > this.most * (1 - RESERVED) && this.#heldBy(tenant) >= this.most * RESERVED;
  }

  /** Whether a tenant may take one more. */
  hasRoom(tenant: string): boolean {
    return !this.isFull && !this.isUsedUpBy(tenant);
  }

  /** Adds to the amount that a tenant holds, even if there is no room. A negative amount releases. */
  add(tenant: string, amount: number): void {
    const held = this.#heldBy(tenant) + amount;
    if (held > 0) this.#held.set(tenant, held);
    else this.#held.delete(tenant);
    this.#amount += amount;
  }

  #heldBy = (tenant: string): number => this.#held.get(tenant) ?? 0;
}
