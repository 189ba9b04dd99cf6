import { QUIET, type Recorded } from './recorded.ts';

// Events as GitHub documents them, with made-up values and without repetitive fields.

const user = (login: string) => ({
  login,
  id: 4_101_010,
  node_id: 'MDQ6VXNlcjQxMDEwMTA=',
  avatar_url: `https://avatars.example.com/u/${login}`,
  url: `https://api.example.com/users/${login}`,
  html_url: `https://code.example.com/${login}`,
  type: 'User',
  site_admin: false,
});
const sender = user('ada');
const repository = {
  id: 101_010,
  node_id: 'MDEwOlJlcG9zaXRvcnkxMDEwMTA=',
  name: 'engine',
  full_name: 'acme/engine',
  private: false,
  owner: { ...user('acme'), type: 'Organization' },
  html_url: 'https://code.example.com/acme/engine',
  description: 'Computes *numbers*',
  fork: false,
  url: 'https://api.example.com/repos/acme/engine',
  default_branch: 'main',
  open_issues_count: 2,
};
const place = '[acme/engine](https://code.example.com/acme/engine)';
const at = (path: string) => `https://code.example.com/acme/engine/${path}`;

const issue = {
  id: 73,
  number: 7,
  title: 'Crash on `div` by [zero] & <null>',
  state: 'open',
  user: user('grace'),
  labels: [{ id: 1, name: 'bug', color: 'd73a4a' }],
  html_url: at('issues/7'),
  body: 'It **crashes**.\r\n\r\n<!-- please\nfill in -->Steps, @ada:\r\n1. Divide',
};
const issueLink = `[issue #7 Crash on \\\`div\\\` by \\[zero\\] & \\<null>](${at('issues/7')})`;
const pull = {
  id: 88,
  number: 8,
  title: 'Fix the crash',
  state: 'open',
  draft: false,
  merged: false,
  merged_at: null,
  user: user('grace'),
  html_url: at('pull/8'),
  body: null,
  head: { ref: 'fix', sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
  base: { ref: 'main', sha: 'c5b97d5ae6c19d5c5df71a34c7fbeeda2479ccbc' },
};
const commit = (id: string, message: string) => ({
  id,
  tree_id: 'f9d2a07e9488b91af2641b26b9407fe22a451433',
  distinct: true,
  message,
  timestamp: '2026-03-01T10:00:00+01:00',
  url: at(`commit/${id}`),
  author: { name: 'Ada L.', email: 'ada@example.com', username: 'ada' },
  committer: { name: 'GitHub', email: 'noreply@example.com', username: 'web-flow' },
  added: [],
  removed: [],
  modified: ['README.md'],
});
const [first, second] = [
  '9049f1265b7d61be4a8904a9a27120d2064dab3b',
  '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
] as const;
const push = {
  ref: 'refs/heads/main',
  before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
  after: second,
  base_ref: null,
  created: false,
  deleted: false,
  forced: false,
  compare: at('compare/6113728f27ae...0d1a26e67d8f'),
  commits: [commit(first, 'Divide by _zero_\n\nThanks @grace'), commit(second, '# Ask @grace')],
  head_commit: commit(second, '# Ask @grace'),
  pusher: { name: 'ada', email: 'ada@example.com' },
};
const none = '0000000000000000000000000000000000000000';

const event = (name: string, body: object, content: string): Recorded => ({
  from: `GitHub, ${name}`,
  headers: {
    'x-github-event': name.split(' ')[0] as string,
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': 'sha256=d57c68ca6f92289e6987922ff26938930f6e66a2d161ef06abdf1859230aa23c',
    'user-agent': 'GitHub-Hookshot/044aadd',
  },
  body: { ...body, repository, sender },
  content: `${place}: **ada** ${content}`,
});

export const githubEvents: readonly Recorded[] = [
  event(
    'ping',
    {
      zen: 'Keep it logically awesome.',
      hook_id: 12,
      hook: { type: 'Repository', id: 12, name: 'web', active: true, events: ['push'], config: {} },
    },
    'webhook 12 is connected: Keep it logically awesome.',
  ),
  event(
    'push',
    push,
    `pushed [2 commits](${at('compare/6113728f27ae...0d1a26e67d8f')}) to main\n\n` +
      `- [9049f12](${at(`commit/${first}`)}) Divide by \\_zero\\_ — Ada L.\n` +
      `- [0d1a26e](${at(`commit/${second}`)}) \\# Ask @${QUIET}grace — Ada L.`,
  ),
  event(
    'push of a new branch',
    { ...push, before: none, created: true, commits: [] },
    'created the branch main',
  ),
  event('push of nothing', { ...push, after: none, deleted: true, commits: [] }, 'deleted the branch main'),
  event(
    'push of a tag',
    { ...push, ref: 'refs/tags/v1.0', before: none, commits: [] },
    'pushed the tag v1.0',
  ),
  event(
    'issues opened',
    { action: 'opened', issue },
    `opened ${issueLink}\n\n> It **crashes**.\n>\n> Steps, @${QUIET}ada:\n> 1. Divide`,
  ),
  event('issues labeled', { action: 'labeled', issue, label: issue.labels[0] }, `labelled ${issueLink}`),
  event(
    'issue_comment created',
    {
      action: 'created',
      issue,
      comment: { id: 5, user: user('ada'), body: 'Seen, too', html_url: at('issues/7#issuecomment-5') },
    },
    `commented on ${issueLink.replace('issues/7)', 'issues/7#issuecomment-5)')}\n\n> Seen, too`,
  ),
  event(
    'issue_comment deleted',
    { action: 'deleted', issue, comment: { id: 5, body: 'Sorry', html_url: at('issues/7#issuecomment-5') } },
    `deleted a comment on ${issueLink.replace('issues/7)', 'issues/7#issuecomment-5)')}`,
  ),
  event(
    'pull_request opened',
    { action: 'opened', number: 8, pull_request: pull },
    `opened [pull request #8 Fix the crash](${at('pull/8')})`,
  ),
  event(
    'pull_request synchronize',
    { action: 'synchronize', number: 8, pull_request: pull, before: first, after: second },
    `pushed to [pull request #8 Fix the crash](${at('pull/8')})`,
  ),
  event(
    'pull_request closed',
    { action: 'closed', number: 8, pull_request: { ...pull, state: 'closed', merged: true } },
    `merged [pull request #8 Fix the crash](${at('pull/8')})`,
  ),
  event(
    'pull_request_review submitted',
    {
      action: 'submitted',
      review: { id: 6, user: user('ada'), body: 'Fine', state: 'approved', html_url: at('pull/8#review-6') },
      pull_request: pull,
    },
    `approved [pull request #8 Fix the crash](${at('pull/8#review-6')})\n\n> Fine`,
  ),
  event(
    'pull_request_review_comment created',
    {
      action: 'created',
      comment: {
        id: 9,
        path: 'a.c',
        body: '```suggestion\nx = 1\n```',
        html_url: at('pull/8#discussion_r9'),
      },
      pull_request: pull,
    },
    `commented on [pull request #8 Fix the crash](${at('pull/8#discussion_r9')})\n\n> \`\`\`suggestion\n> x = 1\n> \`\`\``,
  ),
  event(
    'release published',
    {
      action: 'published',
      release: {
        id: 3,
        tag_name: 'v1.0',
        name: 'The first',
        draft: false,
        prerelease: false,
        html_url: at('releases/tag/v1.0'),
        body: '* Divides',
        author: sender,
      },
    },
    `published [release v1.0 The first](${at('releases/tag/v1.0')})\n\n> * Divides`,
  ),
  event(
    'workflow_run completed',
    {
      action: 'completed',
      workflow_run: {
        id: 30_433_642,
        name: 'Build & test',
        head_branch: 'main',
        head_sha: second,
        run_number: 562,
        event: 'push',
        status: 'completed',
        conclusion: 'failure',
        html_url: at('actions/runs/30433642'),
      },
      workflow: { id: 159_038, name: 'Build & test', path: '.github/workflows/ci.yml', state: 'active' },
    },
    `updated the workflow run [Build & test #562](${at('actions/runs/30433642')}): **failure** on main`,
  ),
  event(
    'check_run completed',
    {
      action: 'completed',
      check_run: { id: 4, name: 'lint', status: 'completed', conclusion: 'success', html_url: at('runs/4') },
    },
    `updated the check run [lint](${at('runs/4')}): **success**`,
  ),
  event(
    'status',
    { sha: second, state: 'pending', context: 'ci/build', description: null, target_url: null, branches: [] },
    'set the status of 0d1a26e to **pending** ci/build',
  ),
  event(
    'deployment_status created',
    {
      action: 'created',
      deployment: { id: 1, environment: 'production', ref: 'main' },
      deployment_status: {
        state: 'in_progress',
        environment: 'production',
        target_url: 'https://example.com/1',
      },
    },
    'updated the deployment to production: **[in progress](https://example.com/1)**',
  ),
  event('create', { ref: 'v1.0', ref_type: 'tag', master_branch: 'main' }, 'created the tag v1.0'),
  event('delete', { ref: 'fix_@ada', ref_type: 'branch' }, `deleted the branch fix\\_@${QUIET}ada`),
  event(
    'fork',
    {
      forkee: { ...repository, full_name: 'grace/engine', html_url: 'https://code.example.com/grace/engine' },
    },
    'forked it to [grace/engine](https://code.example.com/grace/engine)',
  ),
  event(
    'gollum',
    { pages: [{ page_name: 'Home', title: 'Home', action: 'edited', html_url: at('wiki/Home') }] },
    `edited the wiki: [Home](${at('wiki/Home')})`,
  ),
  event('star created', { action: 'created', starred_at: '2026-03-01T09:00:00Z' }, 'star created'),
  event(
    'milestone closed',
    { action: 'closed', milestone: { number: 2, title: 'Spring', html_url: at('milestone/2') } },
    `milestone closed: [Spring](${at('milestone/2')})`,
  ),
  event(
    'dependabot_alert created',
    {
      action: 'created',
      alert: { number: 2, html_url: at('security/2'), security_advisory: { summary: 'Loops forever' } },
    },
    `dependabot alert created: [Loops forever](${at('security/2')})`,
  ),
  event('constructor', {}, 'constructor'),
];
