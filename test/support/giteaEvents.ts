import { QUIET, type Recorded } from './recorded.ts';

// Events as Gitea documents and sends them, with made-up values. Forgejo and Gogs send the same events.

const user = (login: string) => ({
  id: 1,
  login,
  full_name: '',
  email: `${login}@noreply.example.org`,
  avatar_url: `https://git.example.org/avatars/${login}`,
  username: login,
});
const repository = {
  id: 140,
  owner: user('acme'),
  name: 'engine',
  full_name: 'acme/engine',
  html_url: 'https://git.example.org/acme/engine',
  ssh_url: 'git@git.example.org:acme/engine.git',
  clone_url: 'https://git.example.org/acme/engine.git',
  default_branch: 'main',
};
const at = (path: string) => `https://git.example.org/acme/engine/${path}`;
const id = 'bffeb74224043ba2feb48d137756c8a9331c449a';
const pull = { id: 2, number: 4, title: 'Faster', body: 'Twice', html_url: at('pulls/4'), merged: false };

const event = (name: string, body: object, content: string): Recorded => ({
  from: `Gitea, ${name}`,
  headers: {
    'x-gitea-delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
    'x-gitea-event': name.split(' ')[0] as string,
    'x-gitea-event-type': name.split(' ')[0] as string,
    'x-gogs-event': name.split(' ')[0] as string,
    // Gitea also sends these headers, for receivers that only know GitHub.
    'x-github-delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
    'x-github-event': name.split(' ')[0] as string,
  },
  body: { ...body, repository, sender: user('ada') },
  content: `[acme/engine](https://git.example.org/acme/engine): **ada** ${content}`,
});

export const giteaEvents: readonly Recorded[] = [
  event(
    'push',
    {
      ref: 'refs/heads/develop',
      before: '28e1879d029cb852e4844d9c718537df08844e03',
      after: id,
      compare_url: at('compare/28e1879d...bffeb742'),
      commits: [
        {
          id,
          message: 'Count @grace in\n',
          url: at(`commit/${id}`),
          author: { name: 'Ada', email: 'ada@example.org', username: 'ada' },
          committer: { name: 'Ada', email: 'ada@example.org', username: 'ada' },
          timestamp: '2026-03-13T13:52:11-04:00',
        },
      ],
      total_commits: 12,
      pusher: user('ada'),
    },
    `pushed [12 commits](${at('compare/28e1879d...bffeb742')}) to develop\n\n` +
      `- [bffeb74](${at(`commit/${id}`)}) Count @${QUIET}grace in — Ada\n- and 11 more`,
  ),
  event(
    'issues',
    { action: 'opened', number: 3, issue: { number: 3, title: 'Slow', body: '', html_url: at('issues/3') } },
    `opened [issue #3 Slow](${at('issues/3')})`,
  ),
  event(
    'issue_assign',
    { action: 'assigned', number: 3, issue: { number: 3, title: 'Slow', html_url: at('issues/3') } },
    `assigned [issue #3 Slow](${at('issues/3')})`,
  ),
  event(
    'issue_comment',
    {
      action: 'created',
      issue: { number: 4, title: 'Faster', html_url: at('pulls/4') },
      comment: { id: 8, html_url: at('pulls/4#issuecomment-8'), user: user('ada'), body: 'Why?' },
      is_pull: true,
    },
    `commented on [pull request #4 Faster](${at('pulls/4#issuecomment-8')})\n\n> Why?`,
  ),
  event(
    'pull_request',
    { action: 'opened', number: 4, pull_request: pull },
    `opened [pull request #4 Faster](${at('pulls/4')})\n\n> Twice`,
  ),
  event(
    'pull_request_sync',
    { action: 'synchronized', number: 4, pull_request: pull },
    `pushed to [pull request #4 Faster](${at('pulls/4')})`,
  ),
  event(
    'pull_request_approved',
    {
      action: 'reviewed',
      number: 4,
      pull_request: pull,
      review: { type: 'pull_request_review_approved', content: 'Good' },
    },
    `approved [pull request #4 Faster](${at('pulls/4')})\n\n> Good`,
  ),
  event(
    'pull_request_rejected',
    {
      action: 'reviewed',
      number: 4,
      pull_request: pull,
      review: { type: 'pull_request_review_rejected', content: '' },
    },
    `requested changes on [pull request #4 Faster](${at('pulls/4')})`,
  ),
  event(
    'release',
    {
      action: 'published',
      release: { id: 5, tag_name: 'v2', name: 'v2', body: 'Twice as fast', html_url: at('releases/tag/v2') },
    },
    `published [release v2](${at('releases/tag/v2')})\n\n> Twice as fast`,
  ),
  event('create', { sha: id, ref: 'refs/heads/fix', ref_type: 'branch' }, 'created the branch fix'),
  event('wiki', { action: 'created', page: 'Home', comment: 'First' }, 'wiki created'),
  event(
    'package',
    {
      action: 'created',
      package: { id: 1, type: 'npm', name: 'engine', version: '2.0.0', html_url: at('packages/1') },
    },
    `package created: [engine](${at('packages/1')})`,
  ),
];
