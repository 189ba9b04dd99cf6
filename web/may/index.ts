import { useCallback, useMemo } from 'react';
import { type Facts, may, type Operation, type Permission, type Target } from '../../client/src/index.ts';
import { useServer } from '../replica/hooks.ts';

export type { Facts, Operation, Permission, Target } from '../../client/src/index.ts';
export { may } from '../../client/src/index.ts';

/** Where the standing of a person is not known yet, nothing is offered. */
const unknown: Permission = { allowed: false, rule: '', message: '', need: [] };

/**
 * Whether the person may make a write in a server, by the server's own rules, and why not. The target's fields are those of
 * `may` of the client.
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

/** As `useMay`, for many targets: the function that asks. */
export function useAsk(
  serverId: string,
): (operation: Operation, target?: Target, facts?: Facts) => Permission {
  const standing = useServer(serverId).state?.standing;
  return useCallback(
    (operation, target = {}, facts = {}) => (standing ? may(standing, operation, target, facts) : unknown),
    [standing],
  );
}
