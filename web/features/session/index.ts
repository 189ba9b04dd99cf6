export {
  accountNow,
  askAccount,
  beginAccount,
  keepAccount,
  type Myself,
  useAccount,
  useUserId,
  wasSignedIn,
} from './account.ts';
export { useEntrance } from './entrance.ts';
export { atProviders } from './identities.ts';
export { lastAdminId } from './lastAdmin.ts';
export { countUnsent, signOut } from './leave.ts';
export { NewPassword } from './NewPassword.tsx';
export { Proof } from './Proof.tsx';
export { hasPasskeys, newPasskey } from './passkey.ts';
export { withProof } from './proof.ts';
export { Refusal } from './refusal.ts';
