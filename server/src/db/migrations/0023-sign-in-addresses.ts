import type { ColumnTypes } from '../migrate.ts';

/** Adds the address from which a provider sign-in was started, to limit pending sign-ins per address. */
export default (_t: ColumnTypes): string[] => [
  'alter table "authenticationRequest" add column address text',
  'create index authentication_request_address on "authenticationRequest" (address, "expiresAt")',
];
