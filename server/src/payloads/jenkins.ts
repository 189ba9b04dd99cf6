import { linked, spaced, told, words } from './forge.ts';
import { joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload comes from Jenkins' Notification plugin. */
export const isJenkins = (payload: Loose): boolean =>
  typeof payload?.name === 'string' && typeof payload.build?.phase === 'string';

/** Converts an event about a phase of a Jenkins build. */
export function ofJenkins(payload: Loose): string {
  const { name, build } = payload ?? {};
  const status = words(build?.status);
  const branch = words(build?.scm?.branch);
  return told({
    place: words(name),
    actor: '',
    deed: joined(
      [
        linked(build?.full_url, `build #${stringOf(build?.number)}`),
        spaced(build?.phase),
        status && `**${status}**`,
        branch && `on ${branch}`,
      ],
      ' ',
    ),
  });
}
