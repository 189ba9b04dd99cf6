import { QUIET, type Recorded } from './recorded.ts';

// More request bodies of hosted services: the less common shapes that their documentation describes, with made-up values.

export const moreServiceBodies: readonly Recorded[] = [
  {
    from: 'Sentry, a comment',
    headers: { 'sentry-hook-resource': 'comment' },
    body: {
      action: 'created',
      actor: { id: '1', name: 'Ada', type: 'user' },
      data: { comment: 'It was @bob', comment_id: '1', issue_id: '7', project_slug: 'house' },
    },
    content: `house: **Ada** comment created on an event\n\n> It was @${QUIET}bob`,
  },
  {
    from: 'Sentry, a service hook',
    body: {
      id: '7',
      project: 'house',
      project_name: 'House',
      culprit: 'app/door in open',
      message: 'This is an example',
      url: 'https://sentry.io/organizations/example/issues/7/',
      level: 'error',
      event: { event_id: '7', title: 'TypeError: door' },
    },
    content:
      'House: error [TypeError: door](https://sentry.io/organizations/example/issues/7/)\n\n> app/door in open',
  },
  {
    from: 'Jira below a path, a comment as a document',
    body: {
      timestamp: 1_772_323_200_000,
      webhookEvent: 'comment_created',
      comment: {
        author: { displayName: 'Ada L.' },
        body: {
          type: 'doc',
          version: 1,
          content: [
            {
              type: 'paragraph',
              content: [
                { type: 'mention', attrs: { id: '1', text: '@Bob' } },
                { type: 'text', text: ' look' },
                { type: 'hardBreak' },
                { type: 'text', text: 'here' },
              ],
            },
            { type: 'paragraph', content: [{ type: 'text', text: 'Thanks', marks: [{ type: 'strong' }] }] },
          ],
        },
      },
      issue: {
        key: 'HOUSE-7',
        self: 'https://example.com/jira/rest/api/2/issue/10007',
        fields: { summary: 'Door', project: { key: 'HOUSE', name: 'House' } },
      },
    },
    content: `House: **Ada L.** comment created [HOUSE-7 Door](https://example.com/jira/browse/HOUSE-7)\n\n> @${QUIET}Bob look\n> here\n>\n> Thanks`,
  },
  {
    from: 'Jira, a sprint',
    body: {
      timestamp: 1,
      webhookEvent: 'sprint_started',
      sprint: { id: 4, name: 'Sprint 4', state: 'active' },
    },
    content: 'Jira: sprint started Sprint 4',
  },
  {
    from: 'PagerDuty, a note',
    body: {
      event: {
        event_type: 'incident.annotated',
        agent: { summary: 'Ada', type: 'user_reference' },
        data: {
          type: 'incident_note',
          incident: {
            id: 'P1',
            summary: 'The disk is full',
            html_url: 'https://example.pagerduty.com/incidents/P1',
            type: 'incident_reference',
          },
          content: 'Looking at it',
        },
      },
    },
    content:
      'PagerDuty: **Ada** incident annotated [The disk is full](https://example.pagerduty.com/incidents/P1)\n\n> Looking at it',
  },
  {
    from: 'PagerDuty, a test event',
    body: {
      event: {
        event_type: 'pagey.ping',
        resource_type: 'pagey',
        agent: null,
        client: null,
        data: { message: 'Hello', type: 'ping' },
      },
    },
    content: 'PagerDuty: pagey ping\n\n> Hello',
  },
  {
    from: 'Opsgenie, a note',
    body: {
      action: 'AddNote',
      alert: {
        alertId: 'a-1',
        tinyId: '7',
        message: 'The disk is full',
        username: 'ada@example.com',
        note: 'Looking at it',
      },
      source: { name: 'web', type: 'web' },
      integrationName: 'Reports',
    },
    content: `Reports: **ada@${QUIET}example.com** add note #7 The disk is full\n\n> Looking at it`,
  },
  {
    from: 'Instatus, a maintenance',
    body: {
      meta: { unsubscribe: '', documentation: '' },
      page: {
        id: 'p',
        status_indicator: 'UNDERMAINTENANCE',
        status_description: 'Under maintenance',
        url: '',
      },
      maintenance: {
        name: 'New disks',
        status: 'INPROGRESS',
        url: 'https://status.example.com/m/1',
        maintenance_updates: [{ body: 'We replace disks.', status: 'INPROGRESS' }],
      },
    },
    content:
      'Under maintenance: [New disks](https://status.example.com/m/1) (INPROGRESS)\n\n> We replace disks.',
  },
  {
    from: 'CircleCI, a job of a project on GitLab',
    body: {
      type: 'job-completed',
      job: { name: 'lint', status: 'success', number: 7 },
      workflow: { name: 'test', url: 'https://app.circleci.com/pipelines/workflows/1' },
      project: { name: 'house', slug: 'circleci/1/2' },
      organization: { name: 'example' },
      pipeline: {
        number: 7,
        trigger: { type: 'gitlab' },
        trigger_parameters: {
          gitlab: { branch: 'main', commit_title: 'Oil the door' },
          git: { branch: 'main' },
        },
      },
    },
    content:
      'example/house: job [lint](https://app.circleci.com/pipelines/workflows/1) **success** on main\n\n> Oil the door',
  },
  {
    from: 'Docker Hub, a build without a tag',
    body: {
      callback_url: 'https://registry.hub.docker.com/u/ada/house/hook/1/',
      push_data: { images: ['27d4'], pushed_at: 1.417566161e9, pusher: 'ada' },
      repository: { repo_name: 'ada/house', repo_url: 'https://registry.hub.docker.com/u/ada/house/' },
    },
    content: '[ada/house](https://registry.hub.docker.com/u/ada/house/): **ada** pushed',
  },
  {
    from: 'Azure DevOps, a work item',
    body: {
      subscriptionId: 's',
      notificationId: 5,
      eventType: 'workitem.updated',
      publisherId: 'tfs',
      message: { text: 'Bug #5 (Door) updated by Ada', html: '', markdown: '' },
      detailedMessage: { text: 'Bug #5 (Door) updated by Ada' },
      resource: {
        revision: { _links: { html: { href: 'https://dev.azure.com/example/_workitems/edit/5' } } },
      },
    },
    content: '[Bug #5 (Door) updated by Ada](https://dev.azure.com/example/_workitems/edit/5)',
  },
  {
    from: 'Azure DevOps, a push',
    body: {
      eventType: 'git.push',
      publisherId: 'tfs',
      message: { text: 'Ada pushed updates to main of house' },
      detailedMessage: { text: 'Ada pushed 1 commit to main of house' },
      resource: { repository: { name: 'house', remoteUrl: 'https://dev.azure.com/example/_git/house' } },
    },
    content:
      '[Ada pushed updates to main of house](https://dev.azure.com/example/_git/house)\n\n> Ada pushed 1 commit to main of house',
  },
  {
    from: 'Amazon SNS, an alarm of CloudWatch',
    body: {
      Type: 'Notification',
      TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
      Subject: 'ALARM: "disk" in EU (Ireland)',
      Message: JSON.stringify({
        AlarmName: 'disk',
        AlarmDescription: 'More than 90 %',
        NewStateValue: 'ALARM',
        OldStateValue: 'OK',
        NewStateReason: 'Threshold crossed',
        Region: 'EU (Ireland)',
      }),
    },
    content: 'EU (Ireland): disk **ALARM**\n\n> More than 90 %\n>\n> Threshold crossed',
  },
  {
    from: 'CircleCI, a test of the webhook',
    body: {
      type: 'ping',
      id: '7',
      happened_at: '2026-03-01T00:00:00Z',
      webhook: { id: '1', name: 'Palaver' },
    },
    content: 'CircleCI: webhook Palaver is connected',
  },
  {
    from: 'Azure DevOps, a push with its URL in the text',
    body: {
      eventType: 'git.push',
      publisherId: 'tfs',
      message: {
        text: 'Ada pushed updates to house:main\r\n(https://dev.azure.com/e/_git/house/#version=GBmain)',
      },
      detailedMessage: { text: 'Ada pushed a commit to house:main\r\n - Oil the door' },
      resource: { repository: { remoteUrl: 'https://dev.azure.com/e/_git/house' } },
    },
    content:
      '[Ada pushed updates to house:main](https://dev.azure.com/e/_git/house/#version=GBmain)\n\n> Ada pushed a commit to house:main\n>  - Oil the door',
  },
  {
    from: 'Opsgenie, a priority as a number and times in nanoseconds',
    body: '{"action":"Create","alert":{"alertId":"a","message":"Disk","tinyId":"2","priority":3,"updatedAt":1502709956288000110},"integrationName":"Reports"}',
    content: 'Reports: create #2 Disk (P3)',
  },
  {
    from: 'Jira, work that was logged',
    body: {
      timestamp: 1,
      webhookEvent: 'worklog_created',
      worklog: { author: { displayName: 'Ada L.' }, comment: 'Oiling', timeSpent: '1h', issueId: '7' },
    },
    content: 'Jira: **Ada L.** worklog created 1h\n\n> Oiling',
  },
  {
    from: 'Jira, a transition of an older version',
    body: {
      transition: { transitionName: 'Reopen Issue', from_status: 'Done', to_status: 'To Do' },
      comment: '',
      user: { displayName: 'Ada L.' },
      issue: {
        key: 'HOUSE-7',
        self: 'https://example.com/rest/api/2/issue/7',
        fields: { summary: 'Door', project: { name: 'House' } },
      },
    },
    content:
      'House: **Ada L.** reopen issue [HOUSE-7 Door](https://example.com/browse/HOUSE-7)\n\n- status: Done → To Do',
  },
  {
    from: 'PagerDuty, the reply of a responder',
    body: {
      event: {
        event_type: 'incident.responder.replied',
        agent: { summary: 'Ada', type: 'user_reference' },
        client: null,
        data: {
          type: 'incident_responder',
          state: 'accepted',
          message: 'On my way\n',
          incident: { summary: 'Disk', html_url: 'https://example.pagerduty.com/incidents/P1' },
        },
      },
    },
    content:
      'PagerDuty: **Ada** incident responder replied [Disk](https://example.pagerduty.com/incidents/P1)\n\n> On my way',
  },
  {
    from: 'Azure DevOps, a pull request',
    body: {
      eventType: 'git.pullrequest.created',
      publisherId: 'tfs',
      message: { text: 'Ada created pull request 1 (Oil) in house\r\nhttps://dev.azure.com/e/_git/house/' },
      detailedMessage: {
        text: 'Ada created pull request 1 (Oil) in house\r\nhttps://dev.azure.com/e/_git/house/\r\nIt squeaks\r\n',
      },
      resource: { _links: { web: { href: 'https://dev.azure.com/e/_git/house/pullrequest/1' } } },
    },
    content:
      '[Ada created pull request 1 (Oil) in house](https://dev.azure.com/e/_git/house/pullrequest/1)\n\n> It squeaks',
  },
];
