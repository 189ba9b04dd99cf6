import { type Asked, useAsked } from '../../api/asked.ts';
import { api, type Records } from '../../api/index.ts';

/** How people get in: by whom, by what, and the bounds of what they choose. */
export interface Entrance
  extends Pick<
    Records['Entrance'],
    'signUp' | 'sendsMails' | 'minPasswordCharacters' | 'maxPasswordCharacters' | 'maxUsernameCharacters'
  > {
  providers: readonly Records['Provider'][];
}

let known: Promise<Entrance> | undefined;

async function ask(): Promise<Entrance> {
  const [rules, providers] = await Promise.all([api('none').personEntrance(), api('none').personProviders()]);
  return { ...rules, providers };
}

/** Asked for once: it changes with the settings of the operator alone. */
function entrance(): Promise<Entrance> {
  known ??= ask().catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

export const useEntrance = (): Asked<Entrance> => useAsked('entrance', entrance);
