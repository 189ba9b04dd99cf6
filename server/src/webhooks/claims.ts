import { LEASE_MS, type Store } from './store.ts';

/** A webhook that this node has claimed, and its delivery under way. */
interface Claim {
  serverId: string;
  /** The end of its lease, by `performance.now()`. */
  leasedUntil: number;
  running: Promise<void>;
}

/** The end of leases that are asked for now: the database gives them later, if at all. */
export const leaseFromNow = (): number => performance.now() + LEASE_MS;

const isLeased = ({ leasedUntil }: Claim): boolean => performance.now() < leasedUntil;

/** The webhooks that this node has claimed, by id. */
export class Claims extends Map<string, Claim> {
  /** False once the lease of a webhook may have ended. */
  hasLease(id: string): boolean {
    const claim = this.get(id);
    return claim !== undefined && isLeased(claim);
  }

  /** False once all leases may have ended. */
  haveLeases(): boolean {
    return this.values().some(isLeased);
  }

  /** The number of webhooks of each server. */
  perServer(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { serverId } of this.values()) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
    return counts;
  }

  /** Renews all leases. */
  async renew(store: Pick<Store, 'renew'>): Promise<void> {
    const claims = [...this];
    if (claims.length === 0) return;
    const leasedUntil = leaseFromNow();
    const kept = new Set(await store.renew(claims.map(([id]) => id)));
    // Those whose lease had ended may be another node's by now, as after a standstill of this one.
    for (const [id, claim] of claims) claim.leasedUntil = kept.has(id) ? leasedUntil : 0;
  }
}
