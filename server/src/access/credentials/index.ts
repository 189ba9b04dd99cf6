import { type ApiKey, apiKeys } from './apiKey.ts';
import { type HookToken, hookTokens } from './hookToken.ts';
import type { CredentialKind } from './kind.ts';
import { type Session, sessions } from './session.ts';

export type Credential = ApiKey | HookToken | Session;

/** Every kind of credential. */
export const credentialKinds = { apiKey: apiKeys, hookToken: hookTokens, session: sessions } satisfies {
  [K in Credential['kind']]: CredentialKind<Extract<Credential, { kind: K }>>;
};
