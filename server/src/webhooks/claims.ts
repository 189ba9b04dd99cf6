import { TenantShares } from '../lib/tenantShares.ts';
import { LEASE_MS, type Store } from './store.ts';

/** A webhook that this node has claimed, and its running delivery. */
export interface Claim {
  serverId: string;
  /** See `tenantIn`. */
  tenant: string;
  /** When the lease expires, on the clock of `performance.now()`. */
  leasedUntil: number;
  running: Promise<void>;
}

/**
 * Returns when a lease that is requested now will expire. The lease in the database starts later, so this
 * node stops before it expires.
 */
export const leaseFromNow = (): number => performance.now() + LEASE_MS;

const isLeased = ({ leasedUntil }: Claim): boolean => performance.now() < leasedUntil;

/** The webhooks that this node has claimed, by id. */
export class Claims extends Map<string, Claim> {
  /** Whether this node holds the lease of a webhook. False once the lease may have expired. */
  hasLease(id: string): boolean {
    const claim = this.get(id);
    return claim !== undefined && isLeased(claim);
  }

  /** Whether this node holds any leases. False once all of them may have expired. */
  haveLeases(): boolean {
    return this.values().some(isLeased);
  }

  /** Returns the number of claimed webhooks per server. */
  perServer(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { serverId } of this.values()) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
    return counts;
  }

  /** Returns how much of a limit on claimed webhooks each tenant uses. */
  shares(most: number): TenantShares {
    const shares = new TenantShares(most);
    for (const { tenant } of this.values()) shares.add(tenant, 1);
    return shares;
  }

  /** Renews all leases. */
  async renew(store: Pick<Store, 'renew'>): Promise<void> {
    const claims = [...this];
    if (claims.length === 0) return;
    const leasedUntil = leaseFromNow();
    const kept = new Set(await store.renew(claims.map(([id]) => id)));
    // Another node may have claimed a webhook whose lease has expired, for example while this process was
    // suspended.
    for (const [id, claim] of claims) claim.leasedUntil = kept.has(id) ? leasedUntil : 0;
  }
}
