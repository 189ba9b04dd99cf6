import { identityOperations } from './identity.ts';
import { providerSignInOperations } from './signIn.ts';

export const providerOperations = [...providerSignInOperations, ...identityOperations];
