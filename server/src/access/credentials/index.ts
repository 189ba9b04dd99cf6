import { type ApiKey, apiKeys } from './apiKey.ts';
import { type HookToken, hookTokens } from './hookToken.ts';
import type { CredentialKind } from './kind.ts';

export type Credential = ApiKey | HookToken;

/** Every kind of credential. */
export const credentialKinds = { apiKey: apiKeys, hookToken: hookTokens } satisfies {
  [K in Credential['kind']]: CredentialKind<Extract<Credential, { kind: K }>>;
};
