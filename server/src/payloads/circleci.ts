import { linked, told, words } from './forge.ts';
import { firstOf, joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload is CircleCI's test event for a webhook. */
const isPing = (payload: Loose): boolean =>
  payload?.type === 'ping' &&
  typeof payload.webhook?.name === 'string' &&
  typeof payload.happened_at === 'string';

/** Whether a payload is an event from CircleCI. */
export const isCircleci = (payload: Loose): boolean =>
  isPing(payload) ||
  (/^(workflow|job)-completed$/.test(stringOf(payload?.type)) && typeof payload.pipeline === 'object');

/** Converts an event about a completed workflow or job in CircleCI. */
export function ofCircleci(payload: Loose): string {
  if (isPing(payload))
    return told({
      place: 'CircleCI',
      actor: '',
      deed: `webhook ${words(payload.webhook.name)} is connected`,
    });
  const { project, workflow, job, pipeline, organization } = payload ?? {};
  // Only projects on GitHub and Bitbucket have `vcs`. Others have trigger parameters.
  const { vcs, trigger_parameters: trigger } = pipeline ?? {};
  const from = trigger?.gitlab ?? trigger?.github_app ?? trigger?.git;
  const run = job ?? workflow;
  const kind = job ? 'job' : 'workflow';
  const branch = words(firstOf(vcs?.branch, vcs?.tag, from?.branch, trigger?.git?.branch));
  return told({
    place: words(joined([stringOf(organization?.name), stringOf(project?.name)], '/')) || 'CircleCI',
    actor: '',
    deed: joined(
      [
        kind,
        linked(workflow?.url, stringOf(run?.name)),
        `**${words(run?.status)}**`,
        branch && `on ${branch}`,
      ],
      ' ',
    ),
    body: firstOf(vcs?.commit?.subject, from?.commit_title),
  });
}
