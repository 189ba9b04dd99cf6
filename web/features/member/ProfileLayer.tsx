import { useEffect, useMemo } from 'react';
import { late } from '../../ui/late.tsx';
import { closeProfile, useShown } from './profile.ts';

const ProfileCard = late(() => import('./ProfileCard.tsx'));

/** Where `showProfile` shows members of a server. Once in its page. */
export function ProfileLayer({ serverId }: { serverId: string }) {
  const shown = useShown();
  const anchor = useMemo(() => ({ current: shown?.element ?? null }), [shown?.element]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of one server nothing shows in another
  useEffect(() => closeProfile, [serverId]);
  if (!shown) return null;
  return (
    <ProfileCard
      key={shown.userId}
      userId={shown.userId}
      serverId={serverId}
      anchor={anchor}
      onClose={closeProfile}
    />
  );
}
