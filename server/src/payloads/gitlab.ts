import { commitsOf, counted, isNone, linked, refOf, type Story, spaced, told, words } from './forge.ts';
import { entryOf, firstOf, joined, type Loose, listOf, numberOf, stringOf } from './loose.ts';

/** Whether a payload without the event header looks like a GitLab event. */
export const isGitlab = (payload: Loose): boolean =>
  typeof payload?.object_kind === 'string' ||
  (typeof payload?.event_name === 'string' && (payload.project || payload.project_id || payload.group_name));

type Told = Pick<Story, 'deed' | 'body' | 'list'>;

/** Converts any GitLab event to a message. Events without a handler become a line with their name. */
export function ofGitlab(payload: Loose, event: string): string {
  const { project, repository, group, user } = payload ?? {};
  const name = firstOf(
    project?.path_with_namespace,
    payload?.path_with_namespace,
    project?.name,
    repository?.name,
    group?.full_path,
    payload?.group_path,
  );
  const kind = firstOf(payload?.object_kind, payload?.event_name, event.replace(/ hook$/i, ''));
  return told({
    place: linked(firstOf(project?.web_url, repository?.homepage, group?.web_url), name),
    actor: words(firstOf(user?.username, user?.name, payload?.user_username, payload?.user_name)),
    ...(entryOf(stories, kind) ?? generic)(payload ?? {}, kind),
  });
}

const verbs: Record<string, string> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'withdrew the approval of',
  unapproval: 'withdrew the approval of',
  create: 'created',
  delete: 'deleted',
};
const verbOf = (action: Loose): string => entryOf(verbs, action) ?? (spaced(action) || 'updated');

/** Formats a link to an issue (`#7`) or a merge request (`!7`). */
function subjectOf(noun: string, sign: string, subject: Loose, url?: Loose): string {
  const number = stringOf(subject?.iid);
  const title = joined([noun, number && sign + number, stringOf(subject?.title)], ' ');
  return linked(firstOf(url, subject?.url), title);
}

const onThing =
  (noun: string, sign: string) =>
  ({ object_attributes: it }: Loose): Told => ({
    deed: `${verbOf(it?.action)} ${subjectOf(stringOf(it?.type).toLowerCase() || noun, sign, it)}`,
    body: it?.action === 'open' ? it.description : '',
  });

function onNote({ object_attributes: note, issue, merge_request: merge, commit, snippet }: Loose): Told {
  const url = note?.url;
  const thing = merge
    ? subjectOf('merge request', '!', merge, url)
    : issue
      ? subjectOf('issue', '#', issue, url)
      : snippet
        ? linked(url, joined(['snippet', stringOf(snippet.title)], ' '))
        : linked(url, joined(['commit', firstOf(commit?.id, note?.commit_id).slice(0, 7)], ' '));
  const deed = note?.action === 'update' ? 'edited a comment on' : 'commented on';
  return { deed: `${deed} ${thing}`, body: firstOf(note?.note, note?.description) };
}

function onPush(payload: Loose): Told {
  const { kind, name } = refOf(payload.ref);
  const of = words(name);
  if (isNone(payload.after)) return { deed: `deleted the ${kind} ${of}` };
  if (kind === 'tag') return { deed: `pushed the tag ${of}`, body: payload.message };
  const commits = listOf(payload.commits);
  const count = Math.max(numberOf(payload.total_commits_count), commits.length);
  if (count === 0) return { deed: `${isNone(payload.before) ? 'created' : 'moved'} the branch ${of}` };
  const url = firstOf(payload.project?.web_url);
  const range = `${stringOf(payload.before)}...${stringOf(payload.after)}`;
  const compare = url && !isNone(payload.before) ? `${url}/-/compare/${range}` : '';
  // GitLab lists only the latest commits, with the newest last.
  return {
    deed: `pushed ${linked(compare, counted(count, 'commit'))} to ${of}`,
    list: commitsOf(commits, count),
  };
}

/** Formats seconds as `1 min 5 s`. */
function durationOf(seconds: Loose): string {
  const whole = Math.round(numberOf(seconds));
  if (whole <= 0) return '';
  return `after ${joined([whole >= 60 ? `${Math.floor(whole / 60)} min` : '', `${whole % 60} s`], ' ')}`;
}

const stories: Record<string, (payload: Loose, kind: string) => Told> = {
  push: onPush,
  tag_push: onPush,
  issue: onThing('issue', '#'),
  work_item: onThing('work item', '#'),
  merge_request: onThing('merge request', '!'),
  note: onNote,
  pipeline: ({ object_attributes: it, project }) => {
    const own =
      project?.web_url && it?.id ? `${stringOf(project.web_url)}/-/pipelines/${stringOf(it.id)}` : '';
    const label = joined(['pipeline', it?.id ? `#${stringOf(it.id)}` : ''], ' ');
    const of = it?.ref ? `on ${words(it.ref)}` : '';
    const state = `**${spaced(firstOf(it?.detailed_status, it?.status)) || 'unknown'}**`;
    return {
      deed: joined([`${linked(firstOf(it?.url, own), label)}:`, state, of, durationOf(it?.duration)], ' '),
    };
  },
  build: ({
    build_name: name,
    build_status: status,
    build_id: id,
    build_duration: duration,
    project,
    ref,
  }) => {
    const url = project?.web_url && id ? `${stringOf(project.web_url)}/-/jobs/${stringOf(id)}` : '';
    const label = joined(['job', stringOf(name)], ' ');
    const of = ref ? `on ${words(ref)}` : '';
    return {
      deed: joined(
        [
          `updated the ${linked(url, label)}:`,
          `**${spaced(status) || 'unknown'}**`,
          of,
          durationOf(duration),
        ],
        ' ',
      ),
    };
  },
  release: ({ action, tag, name, url, description }) => ({
    deed: `${verbOf(action)} ${linked(url, joined(['release', stringOf(tag), name === tag ? '' : stringOf(name)], ' '))}`,
    body: action === 'create' ? description : '',
  }),
  wiki_page: ({ object_attributes: it }) => ({
    deed: `${verbOf(it?.action)} ${linked(it?.url, joined(['wiki page', stringOf(it?.title)], ' '))}`,
    body: it?.message,
  }),
  deployment: ({ status, environment, deployable_url: url }) => ({
    deed: `updated the deployment to ${words(environment) || 'an environment'}: **${linked(url, stringOf(status) || 'unknown')}**`,
  }),
};

/** Describes any other event by its name, its action, and its title if it has one. */
function generic(payload: Loose, kind: string): Told {
  const it = payload.object_attributes;
  const title = firstOf(it?.title, it?.name, payload.name, payload.project_name, payload.group_name);
  const name = joined([spaced(kind) || 'event', spaced(firstOf(it?.action, payload.action))], ' ');
  return { deed: title || it?.url ? `${name}: ${linked(it?.url, title || 'see')}` : name };
}
