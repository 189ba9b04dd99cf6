import { linked, told, words } from './forge.ts';
import { joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload is a push to Docker Hub. */
export const isDockerHub = (payload: Loose): boolean =>
  typeof payload?.push_data === 'object' && typeof payload.repository?.repo_name === 'string';

/** Converts a push to Docker Hub. */
export function ofDockerHub(payload: Loose): string {
  const tag = words(payload?.push_data?.tag);
  return told({
    place: linked(payload?.repository?.repo_url, stringOf(payload?.repository?.repo_name)),
    actor: words(payload?.push_data?.pusher),
    deed: joined(['pushed', tag && `the tag ${tag}`], ' '),
  });
}
