import type { ColumnTypes } from '../migrate.ts';

/** The address from which a sign-in with a provider was begun: one may have only so many under way. */
export default (_t: ColumnTypes): string[] => [
  'alter table "authenticationRequest" add column address text',
  'create index authentication_request_address on "authenticationRequest" (address, "expiresAt")',
];
