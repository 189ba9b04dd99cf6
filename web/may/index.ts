import { useCallback, useMemo } from 'react';
import { type Facts, may, type Operation, type Permission, type Target } from '../../client/src/index.ts';
import { useServer } from '../replica/hooks.ts';

export type { Facts, Operation, Permission, Target } from '../../client/src/index.ts';
export { may } from '../../client/src/index.ts';

/** Denied while the user's permissions are unknown, so nothing is offered. */
const unknown: Permission = { allowed: false, rule: '', message: '', need: [] };

/**
 * Whether the user may perform a write in a server, checked with the server's own rules, and why not. The target's fields are those of
 * the client's `may`.
 */
export function useMay(
  serverId: string | undefined,
  operation: Operation,
  target: Target = {},
  facts: Facts = {},
): Permission {
  const standing = useServer(serverId ?? '').state?.standing;
  const key = JSON.stringify([operation, target, facts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the target and the facts
  return useMemo(() => (standing ? may(standing, operation, target, facts) : unknown), [standing, key]);
}

/** `useMay` for many targets: returns the function that checks one. */
export function useAsk(
  serverId: string,
): (operation: Operation, target?: Target, facts?: Facts) => Permission {
  const standing = useServer(serverId).state?.standing;
  return useCallback(
    (operation, target = {}, facts = {}) => (standing ? may(standing, operation, target, facts) : unknown),
    [standing],
  );
}
