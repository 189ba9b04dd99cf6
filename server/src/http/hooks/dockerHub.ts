import { linked, told, words } from './forge.ts';
import { type Loose, stringOf } from './loose.ts';

/** Whether a payload is a push to Docker Hub. */
export const isDockerHub = (payload: Loose): boolean =>
  typeof payload?.push_data?.tag === 'string' && typeof payload.repository?.repo_name === 'string';

/** Converts a push to Docker Hub. */
export const ofDockerHub = (payload: Loose): string =>
  told({
    place: linked(payload?.repository?.repo_url, stringOf(payload?.repository?.repo_name)),
    actor: words(payload?.push_data?.pusher),
    deed: `pushed the tag ${words(payload?.push_data?.tag)}`,
  });
