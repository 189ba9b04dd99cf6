import { useCallback, useMemo } from 'react';
import { type Facts, may, type Operation, type Permission, type Target } from '../../client/src/index.ts';
import { useServer } from '../replica/hooks.ts';

export type { Facts, Operation, Permission, Target } from '../../client/src/index.ts';
export { may } from '../../client/src/index.ts';

/** Used while the user's permissions are unknown: everything is denied, so nothing is offered. */
const unknown: Permission = { allowed: false, rule: '', message: '', need: [] };

/**
 * Whether the user may perform a write in a server, and if not, why. Checked with the server's own rules.
 * The target's fields are those of the client's `may`.
 */
export function useMay(
  serverId: string | undefined,
  operation: Operation,
  target: Target = {},
  facts: Facts = {},
): Permission {
  const standing = useServer(serverId ?? '').state?.standing;
  const key = JSON.stringify([operation, target, facts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents the target and the facts
  return useMemo(() => (standing ? may(standing, operation, target, facts) : unknown), [standing, key]);
}

/** Like `useMay`, but returns a function that checks any number of targets. */
export function useAsk(
  serverId: string,
): (operation: Operation, target?: Target, facts?: Facts) => Permission {
  const standing = useServer(serverId).state?.standing;
  return useCallback(
    (operation, target = {}, facts = {}) => (standing ? may(standing, operation, target, facts) : unknown),
    [standing],
  );
}
