import { QUIET, type Recorded } from './recorded.ts';

// Events as GitLab documents them, with made-up values.

const project = {
  id: 15,
  name: 'Engine',
  description: '',
  web_url: 'https://lab.example.net/acme/engine',
  namespace: 'Acme',
  visibility_level: 0,
  path_with_namespace: 'acme/engine',
  default_branch: 'main',
};
const at = (path: string) => `https://lab.example.net/acme/engine/-/${path}`;
const user = { id: 1, name: 'Ada L.', username: 'ada', avatar_url: 'https://lab.example.net/ada.png' };
const [before, after] = [
  '95790bf891e76fee5e1747ab589903a6a1f80f22',
  'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
] as const;
const none = '0000000000000000000000000000000000000000';
const push = {
  object_kind: 'push',
  event_name: 'push',
  before,
  after,
  ref: 'refs/heads/main',
  checkout_sha: after,
  user_id: 4,
  user_name: 'Ada L.',
  user_username: 'ada',
  project_id: 15,
  project,
  repository: { name: 'Engine', url: 'git@lab.example.net:acme/engine.git', homepage: project.web_url },
  commits: [
    {
      id: after,
      message: 'Fix the README\n\nSee !3',
      title: 'Fix the README',
      timestamp: '2026-03-01T10:00:00+00:00',
      url: at(`commit/${after}`),
      author: { name: 'Ada L.', email: 'ada@example.net' },
      added: [],
      modified: ['README.md'],
      removed: [],
    },
  ],
  total_commits_count: 1,
};
const issue = { id: 301, iid: 23, title: 'New *API*', state: 'opened', description: 'For @grace' };
const merge = { id: 99, iid: 1, title: 'MS-Viewport', source_branch: 'ms', target_branch: 'main' };

const event = (name: string, body: object, content: string): Recorded => ({
  from: `GitLab, ${content.slice(0, 20)}`,
  headers: {
    'x-gitlab-event': name,
    'x-gitlab-event-uuid': '13792a34-cac6-4fda-95a8-c58e00a3954e',
    'x-gitlab-instance': 'https://lab.example.net',
    'x-gitlab-token': 'made up',
    'user-agent': 'GitLab/17.9.0',
  },
  body,
  content: `[acme/engine](https://lab.example.net/acme/engine): **ada** ${content}`,
});

export const gitlabEvents: readonly Recorded[] = [
  event(
    'Push Hook',
    push,
    `pushed [1 commit](${at(`compare/${before}...${after}`)}) to main\n\n` +
      `- [da15608](${at(`commit/${after}`)}) Fix the README — Ada L.`,
  ),
  event(
    'Push Hook',
    { ...push, before: none, commits: [], total_commits_count: 0 },
    'created the branch main',
  ),
  event(
    'Push Hook',
    { ...push, after: none, commits: [], total_commits_count: 0 },
    'deleted the branch main',
  ),
  event(
    'Tag Push Hook',
    { ...push, object_kind: 'tag_push', ref: 'refs/tags/v1', before: none, commits: [], message: 'Tagged' },
    'pushed the tag v1\n\n> Tagged',
  ),
  event(
    'Issue Hook',
    {
      object_kind: 'issue',
      event_type: 'issue',
      user,
      project,
      object_attributes: { ...issue, url: at('issues/23'), action: 'open' },
      labels: [],
      changes: {},
    },
    `opened [issue #23 New \\*API\\*](${at('issues/23')})\n\n> For @${QUIET}grace`,
  ),
  event(
    'Merge Request Hook',
    {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user,
      project,
      object_attributes: { ...merge, url: at('merge_requests/1'), state: 'merged', action: 'merge' },
    },
    `merged [merge request !1 MS-Viewport](${at('merge_requests/1')})`,
  ),
  event(
    'Note Hook',
    {
      object_kind: 'note',
      event_type: 'note',
      user,
      project,
      object_attributes: {
        id: 1244,
        note: 'This MR needs work.',
        noteable_type: 'MergeRequest',
        action: 'create',
        url: at('merge_requests/1#note_1244'),
      },
      merge_request: merge,
    },
    `commented on [merge request !1 MS-Viewport](${at('merge_requests/1#note_1244')})\n\n> This MR needs work.`,
  ),
  event(
    'Note Hook',
    {
      object_kind: 'note',
      user,
      project,
      object_attributes: { note: 'On a commit', noteable_type: 'Commit', url: at(`commit/${after}#note_1`) },
      commit: { id: after, message: 'Fix the README', url: at(`commit/${after}`) },
    },
    `commented on [commit da15608](${at(`commit/${after}#note_1`)})\n\n> On a commit`,
  ),
  event(
    'Pipeline Hook',
    {
      object_kind: 'pipeline',
      object_attributes: {
        id: 31,
        iid: 3,
        ref: 'main',
        tag: false,
        sha: after,
        source: 'push',
        status: 'failed',
        detailed_status: 'failed',
        stages: ['build', 'test'],
        duration: 63,
        url: at('pipelines/31'),
      },
      merge_request: null,
      user,
      project,
      builds: [],
    },
    `[pipeline #31](${at('pipelines/31')}): **failed** on main after 1 min 3 s`,
  ),
  event(
    'Job Hook',
    {
      object_kind: 'build',
      ref: 'main',
      build_id: 1977,
      build_name: 'test:unit',
      build_stage: 'test',
      build_status: 'success',
      build_duration: 12.4,
      project_name: 'Acme / Engine',
      user,
      project,
    },
    `updated the [job test:unit](${at('jobs/1977')}): **success** on main after 12 s`,
  ),
  event(
    'Release Hook',
    {
      object_kind: 'release',
      id: 1,
      name: 'v1.1 has been released',
      tag: 'v1.1',
      description: 'Nothing new',
      url: at('releases/v1.1'),
      action: 'create',
      user_name: 'Ada L.',
      user_username: 'ada',
      project,
    },
    `created [release v1.1 v1.1 has been released](${at('releases/v1.1')})\n\n> Nothing new`,
  ),
  event(
    'Wiki Page Hook',
    {
      object_kind: 'wiki_page',
      user,
      project,
      wiki: { web_url: at('wikis/home') },
      object_attributes: {
        title: 'Awesome',
        slug: 'awesome',
        message: '',
        url: at('wikis/a'),
        action: 'create',
      },
    },
    `created [wiki page Awesome](${at('wikis/a')})`,
  ),
  event(
    'Deployment Hook',
    {
      object_kind: 'deployment',
      status: 'success',
      deployment_id: 15,
      deployable_url: at('jobs/796'),
      environment: 'staging',
      project,
      user,
    },
    `updated the deployment to staging: **[success](${at('jobs/796')})**`,
  ),
  event(
    'Emoji Hook',
    {
      object_kind: 'emoji',
      event_type: 'award',
      user,
      project_id: 15,
      project,
      object_attributes: { id: 1, name: 'thumbsup', awardable_type: 'Issue', action: 'award' },
    },
    'emoji award: thumbsup',
  ),
];
