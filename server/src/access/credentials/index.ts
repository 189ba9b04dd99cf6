import { type ApiKey, apiKeys } from './apiKey.ts';
import { type Deferred, deferrals } from './deferred.ts';
import { type FlowAgent, flowAgents } from './flow.ts';
import { type Grant, grants } from './grant.ts';
import { type HookToken, hookTokens } from './hookToken.ts';
import type { CredentialKind } from './kind.ts';
import { type Session, sessions } from './session.ts';

export type Credential = ApiKey | Deferred | FlowAgent | Grant | HookToken | Session;

/** Every kind of credential. */
export const credentialKinds = {
  apiKey: apiKeys,
  deferred: deferrals,
  flow: flowAgents,
  grant: grants,
  hookToken: hookTokens,
  session: sessions,
} satisfies {
  [K in Credential['kind']]: CredentialKind<Extract<Credential, { kind: K }>>;
};
