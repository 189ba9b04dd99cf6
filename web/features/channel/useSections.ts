import { useMemo } from 'react';
import { useChannels, useRows } from '../../replica/hooks.ts';
import type { Rows } from '../../replica/types.ts';
import { type Section, sectionsOf } from './sections.ts';

/** The sections of a server, with the channels that the user can see. */
export function useSections(serverId: string): readonly Section[] {
  const channels = useChannels(serverId);
  const categories = useRows('category', 'serverId', serverId);
  return useMemo(() => sectionsOf(channels, categories), [channels, categories]);
}

/** The channels of a server in the order of the list. */
export function useChannelsInOrder(serverId: string): readonly Rows['channel'][] {
  const sections = useSections(serverId);
  return useMemo(() => sections.flatMap(({ channels }) => channels), [sections]);
}
