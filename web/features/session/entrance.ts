import { type Asked, useAsked } from '../../api/asked.ts';
import { api, type Records } from '../../api/index.ts';

/** The sign-in and sign-up methods, and the rules for usernames and passwords. */
export interface Entrance
  extends Pick<
    Records['Entrance'],
    | 'signUp'
    | 'serverCreators'
    | 'sendsMails'
    | 'minPasswordCharacters'
    | 'maxPasswordCharacters'
    | 'maxUsernameCharacters'
  > {
  providers: readonly Records['Provider'][];
}

let known: Promise<Entrance> | undefined;

async function ask(): Promise<Entrance> {
  const [rules, providers] = await Promise.all([api('none').personEntrance(), api('none').personProviders()]);
  return { ...rules, providers };
}

/** Loaded only once, because it only changes with the operator's settings. */
function entrance(): Promise<Entrance> {
  known ??= ask().catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

export const useEntrance = (): Asked<Entrance> => useAsked('entrance', entrance);
