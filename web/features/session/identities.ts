import { api, type Records } from '../../api/index.ts';

/** The accounts at sign-in providers that the user has linked. */
export async function atProviders(): Promise<Records['Identity'][]> {
  const found: Records['Identity'][] = [];
  for await (const one of api('none').personIdentities({ limit: 100 }))
    if (one.kind === 'provider') found.push(one);
  return found;
}
