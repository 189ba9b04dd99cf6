import { commitsOf, counted, isNone, linked, refOf, type Story, spaced, told, words } from './forge.ts';
import { entryOf, firstOf, joined, type Loose, listOf, numberOf, stringOf } from './loose.ts';

/** Whether a payload without the event header looks like a GitHub event. */
export const isGithub = (payload: Loose): boolean =>
  typeof payload?.repository?.full_name === 'string' || typeof payload?.zen === 'string';

/**
 * Converts any GitHub event to a message. Events without a handler become a line with their name. Gitea,
 * Forgejo and Gogs send nearly the same payloads.
 */
export function ofGithub(payload: Loose, event: string): string {
  const kind = kindOf(payload, event);
  const { repository, organization } = payload ?? {};
  const place =
    linked(repository?.html_url, repository?.full_name) ||
    words(firstOf(organization?.login, organization?.username));
  const actor = words(nameOf(payload?.sender) || nameOf(payload?.pusher));
  return told({ place, actor, ...(entryOf(stories, kind) ?? generic)(payload, kind.replaceAll('_', ' ')) });
}

const nameOf = (user: Loose): string => firstOf(user?.login, user?.username, user?.name);

/** Maximum wiki pages to list per message. */
const MAX_PAGES = 5;

type Told = Pick<Story, 'deed' | 'body' | 'list'>;

/** Returns the kind of an event, from its name or, if that is missing, from its content. */
function kindOf(payload: Loose, event: string): string {
  if (entryOf(stories, event)) return event;
  // Gitea uses its own names for changes to issues and pull requests.
  if (payload?.review && payload.pull_request) return 'pull_request_review';
  if (payload?.comment && (payload.issue || payload.pull_request)) return 'issue_comment';
  if (/^issue/.test(event) || (event === '' && payload?.issue)) return payload?.issue ? 'issues' : event;
  if (/^pull_request/.test(event) || event === '') {
    if (payload?.pull_request) return 'pull_request';
  }
  if (event !== '') return event;
  const kinds = ['workflow_run', 'workflow_job', 'check_run', 'check_suite', 'release', 'discussion'];
  if (typeof payload?.zen === 'string') return 'ping';
  if (typeof payload?.ref === 'string' && Array.isArray(payload.commits)) return 'push';
  return kinds.find((kind) => payload?.[kind]) ?? 'event';
}

/** Formats a link to an issue, a pull request or a discussion. */
function subjectOf(noun: string, subject: Loose, url?: Loose): string {
  const number = stringOf(subject?.number);
  const title = joined([noun, number && `#${number}`, stringOf(subject?.title)], ' ');
  return linked(firstOf(url, subject?.html_url), title);
}

/** Phrases for actions whose names do not describe them. */
const verbs: Record<string, string> = {
  synchronize: 'pushed to',
  synchronized: 'pushed to',
  labeled: 'labelled',
  unlabeled: 'removed a label from',
  label_updated: 'changed the labels of',
  label_cleared: 'removed the labels from',
  ready_for_review: 'marked as ready',
  converted_to_draft: 'converted to a draft',
  review_requested: 'requested a review of',
  review_request_removed: 'withdrew a review request for',
  milestoned: 'set the milestone of',
  demilestoned: 'removed the milestone from',
  auto_merge_enabled: 'enabled merging of',
  auto_merge_disabled: 'disabled merging of',
};
const verbOf = (action: Loose): string => entryOf(verbs, action) ?? spaced(action);

const onThing = (noun: string, subject: Loose, { action }: Loose): Told => ({
  deed: joined([verbOf(action), subjectOf(noun, subject)], ' '),
  body: action === 'opened' || action === 'created' ? subject?.body : '',
});

/** Describes an action on a comment. The subject of the comment follows these words. */
const commented = (action: Loose): string =>
  action === 'created' || !action ? 'commented on' : `${spaced(action)} a comment on`;

function onComment(payload: Loose): Told {
  const { comment, issue, pull_request: pull, discussion, action } = payload;
  const isPull = pull || issue?.pull_request || payload.is_pull;
  const noun = discussion ? 'discussion' : isPull ? 'pull request' : 'issue';
  const commit = stringOf(comment?.commit_id).slice(0, 7);
  const thing =
    issue || pull || discussion
      ? subjectOf(noun, issue ?? pull ?? discussion, comment?.html_url)
      : linked(comment?.html_url, joined(['commit', commit], ' '));
  return { deed: `${commented(action)} ${thing}`, body: action === 'deleted' ? '' : comment?.body };
}

const reviews: Record<string, string> = {
  approved: 'approved',
  changes_requested: 'requested changes on',
  rejected: 'requested changes on',
  dismissed: 'dismissed a review of',
};

/** Describes the outcome of a check run or workflow run, with a link. The run's `name` may be null. */
function onRun(payload: Loose, kind: string): Told {
  const run = entryOf<Loose>(payload, kind.replaceAll(' ', '_')) ?? {};
  const { name, display_title: title, run_number: number, head_branch: branch } = run;
  const label = joined(
    [firstOf(name, run.app?.name, title, kind), number ? `#${stringOf(number)}` : ''],
    ' ',
  );
  const outcome = spaced(firstOf(run.conclusion, run.status, payload?.action));
  const of = branch ? ` on ${words(branch)}` : '';
  return {
    deed: `updated the ${kind} ${linked(firstOf(run.html_url, run.details_url), label)}: **${outcome || 'done'}**${of}`,
  };
}

const stories: Record<string, (payload: Loose, kind: string) => Told> = {
  ping: ({ zen, hook }) => ({
    deed: joined([`webhook ${stringOf(hook?.id)}`.trim(), 'is connected:', words(zen) || 'ping'], ' '),
  }),
  push: onPush,
  issues: (payload) => onThing('issue', payload.issue, payload),
  pull_request: (payload) => {
    const { pull_request: pull, action } = payload;
    const isMerged = action === 'closed' && (pull?.merged || pull?.merged_at);
    return onThing('pull request', pull, isMerged ? { action: 'merged' } : payload);
  },
  issue_comment: onComment,
  commit_comment: onComment,
  discussion_comment: onComment,
  pull_request_review_comment: onComment,
  discussion: (payload) => onThing('discussion', payload.discussion, payload),
  pull_request_review: ({ review, pull_request: pull, action }) => {
    const state = stringOf(action === 'dismissed' ? action : firstOf(review?.state, review?.type))
      .toLowerCase()
      .replace('pull_request_review_', '');
    return {
      deed: `${entryOf(reviews, state) ?? 'reviewed'} ${subjectOf('pull request', pull, review?.html_url)}`,
      body: firstOf(review?.body, review?.content),
    };
  },
  release: ({ release, action }) => {
    const [tag, name] = [stringOf(release?.tag_name), stringOf(release?.name)];
    const title = joined(['release', tag, name === tag ? '' : name], ' ');
    return {
      deed: joined([verbOf(action), linked(release?.html_url, title)], ' '),
      body: action === 'published' ? firstOf(release?.body, release?.note) : '',
    };
  },
  create: ({ ref, ref_type: type }) => ({
    deed: `created the ${words(type) || 'branch'} ${words(refOf(ref).name)}`,
  }),
  delete: ({ ref, ref_type: type }) => ({
    deed: `deleted the ${words(type) || 'branch'} ${words(refOf(ref).name)}`,
  }),
  fork: ({ forkee }) => ({
    deed: joined(['forked it', linked(forkee?.html_url, forkee?.full_name)], ' to '),
  }),
  gollum: ({ pages }) => {
    const links = listOf(pages).slice(0, MAX_PAGES);
    return {
      deed: `edited the wiki: ${joined(
        links.map((page) => linked(page?.html_url, page?.title)),
        ', ',
      )}`,
    };
  },
  pull_request_review_thread: ({ action, pull_request: pull }) => ({
    deed: `${spaced(action)} a thread of ${subjectOf('pull request', pull)}`,
  }),
  workflow_run: onRun,
  workflow_job: onRun,
  check_run: onRun,
  check_suite: onRun,
  status: ({ state, context, target_url: url, sha, description }) => ({
    deed: joined(
      [
        `set the status of ${words(stringOf(sha).slice(0, 7)) || 'a commit'} to`,
        `**${spaced(state) || 'unknown'}**`,
        linked(url, context),
        description ? `— ${words(description)}` : '',
      ],
      ' ',
    ),
  }),
  deployment_status: ({ deployment, deployment_status: status }) => ({
    deed: `updated the deployment to ${words(firstOf(status?.environment, deployment?.environment)) || 'an environment'}: **${linked(
      firstOf(status?.environment_url, status?.target_url, status?.log_url),
      stringOf(status?.state).replaceAll('_', ' ') || 'unknown',
    )}**`,
  }),
};

function onPush(payload: Loose): Told {
  const { kind, name } = refOf(payload.ref);
  const of = words(name);
  if (payload.deleted === true || isNone(payload.after)) return { deed: `deleted the ${kind} ${of}` };
  const commits = listOf(payload.commits);
  const count = Math.max(numberOf(payload.total_commits), commits.length);
  const compare = firstOf(payload.compare, payload.compare_url);
  if (kind === 'tag') return { deed: `pushed the tag ${of}` };
  if (count === 0) {
    const isNew = payload.created === true || isNone(payload.before);
    return { deed: `${isNew ? 'created' : 'moved'} the branch ${of}` };
  }
  const verb = payload.forced === true ? 'force-pushed' : 'pushed';
  return {
    deed: `${verb} ${linked(compare, counted(count, 'commit'))} to ${of}`,
    list: commitsOf(commits, count),
  };
}

/** Describes any other event by its name, its action, and its subject if that has a title or a URL. */
function generic(payload: Loose, kind: string): Told {
  const { action } = payload ?? {};
  const subject = entryOf<Loose>(payload, kind.replaceAll(' ', '_'));
  const title = firstOf(
    subject?.title,
    subject?.name,
    subject?.summary,
    subject?.tag_name,
    subject?.login,
    payload?.label?.name,
    payload?.member?.login,
    payload?.alert?.rule?.description,
    payload?.alert?.security_advisory?.summary,
  );
  const url = firstOf(subject?.html_url, payload?.alert?.html_url);
  const name = joined([spaced(kind) || 'event', spaced(action)], ' ');
  return { deed: title || url ? `${name}: ${linked(url, title || 'see')}` : name };
}
