import { linked, told, words } from './forge.ts';
import { firstOf, joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload is an event of CircleCI. */
export const isCircleci = (payload: Loose): boolean =>
  /^(workflow|job)-completed$/.test(stringOf(payload?.type)) && typeof payload.pipeline === 'object';

/** Converts the end of a workflow or a job in CircleCI. */
export function ofCircleci(payload: Loose): string {
  const { project, workflow, job, pipeline, organization } = payload ?? {};
  const run = job ?? workflow;
  const kind = job ? 'job' : 'workflow';
  const branch = words(firstOf(pipeline?.vcs?.branch, pipeline?.vcs?.tag));
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
    body: pipeline?.vcs?.commit?.subject,
  });
}
