import { useEffect, useMemo } from 'react';
import { late } from '../../ui/late.tsx';
import { closeProfile, useShown } from './profile.ts';

const ProfileCard = late(() => import('./ProfileCard.tsx'));

/** Renders the profile opened by `showProfile`. Rendered once per server page. */
export function ProfileLayer({ serverId }: { serverId: string }) {
  const shown = useShown();
  const anchor = useMemo(() => ({ current: shown?.element ?? null }), [shown?.element]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the server changes
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
