import { QUIET, type Recorded } from './recorded.ts';

// Request bodies of hosted services, written in the shape that each service documents, with made-up values.

export const serviceBodies: readonly Recorded[] = [
  {
    from: 'Sentry, an issue',
    headers: { 'sentry-hook-resource': 'issue' },
    body: {
      action: 'created',
      actor: { type: 'application', id: 'sentry', name: 'Sentry' },
      data: {
        issue: {
          id: '7',
          title: 'TypeError: @ada is *undefined*',
          culprit: 'app/door.js in open',
          web_url: 'https://example.sentry.io/issues/7/',
          project: { name: 'house' },
        },
      },
    },
    content: `house: created [TypeError: @${QUIET}ada is \\*undefined\\*](https://example.sentry.io/issues/7/)\n\n> app/door.js in open`,
  },
  {
    from: 'Jira, an issue',
    body: {
      webhookEvent: 'jira:issue_updated',
      user: { displayName: 'Ada L.' },
      issue: {
        key: 'HOUSE-7',
        self: 'https://example.atlassian.net/rest/api/2/issue/10007',
        fields: { summary: 'The door is stuck', project: { name: 'House' } },
      },
      changelog: { items: [{ field: 'status', fromString: 'To Do', toString: 'Done' }] },
    },
    content:
      'House: **Ada L.** issue updated [HOUSE-7 The door is stuck](https://example.atlassian.net/browse/HOUSE-7)\n\n- status: To Do → Done',
  },
  {
    from: 'PagerDuty, an incident',
    body: {
      event: {
        id: '01',
        event_type: 'incident.triggered',
        agent: { summary: 'Ada', type: 'user_reference' },
        data: {
          type: 'incident',
          number: 7,
          title: 'The disk is full',
          urgency: 'high',
          html_url: 'https://example.pagerduty.com/incidents/P1',
          service: { summary: 'Database', html_url: 'https://example.pagerduty.com/services/S1' },
        },
      },
    },
    content:
      '[Database](https://example.pagerduty.com/services/S1): **Ada** incident triggered [#7 The disk is full](https://example.pagerduty.com/incidents/P1) (high urgency)',
  },
  {
    from: 'Opsgenie, an alert',
    body: {
      action: 'Create',
      integrationName: 'Reports',
      alert: {
        alertId: 'a-1',
        tinyId: '7',
        message: 'The disk is full',
        priority: 'P1',
        description: 'On db1',
      },
    },
    content: 'Reports: create #7 The disk is full (P1)\n\n> On db1',
  },
  {
    from: 'Statuspage, an incident',
    body: {
      page: { id: 'p', status_indicator: 'major', status_description: 'Partial outage' },
      incident: {
        name: 'Slow answers',
        status: 'investigating',
        shortlink: 'https://stspg.io/1',
        incident_updates: [{ body: 'We look into it.', status: 'investigating' }],
      },
    },
    content: 'Partial outage: [Slow answers](https://stspg.io/1) (investigating)\n\n> We look into it.',
  },
  {
    from: 'Statuspage, a component',
    body: {
      page: { id: 'p', status_description: 'All fine' },
      component: { name: 'API' },
      component_update: { old_status: 'operational', new_status: 'degraded' },
    },
    content: 'All fine: API: operational → degraded',
  },
  {
    from: 'Jenkins, a build',
    body: {
      name: 'house',
      url: 'job/house/',
      build: {
        full_url: 'https://ci.example.com/job/house/7/',
        number: 7,
        phase: 'COMPLETED',
        status: 'FAILURE',
        scm: { branch: 'origin/main' },
      },
    },
    content: 'house: [build #7](https://ci.example.com/job/house/7/) completed **FAILURE** on origin/main',
  },
  {
    from: 'CircleCI, a workflow',
    body: {
      type: 'workflow-completed',
      workflow: { name: 'test', status: 'failed', url: 'https://app.circleci.com/pipelines/workflows/1' },
      project: { name: 'house' },
      organization: { name: 'example' },
      pipeline: { vcs: { branch: 'main', commit: { subject: 'Oil the door' } } },
    },
    content:
      'example/house: workflow [test](https://app.circleci.com/pipelines/workflows/1) **failed** on main\n\n> Oil the door',
  },
  {
    from: 'Docker Hub, a push',
    body: {
      push_data: { pusher: 'ada', tag: 'latest', pushed_at: 1_772_323_200 },
      repository: { repo_name: 'ada/house', repo_url: 'https://hub.docker.com/r/ada/house' },
    },
    content: '[ada/house](https://hub.docker.com/r/ada/house): **ada** pushed the tag latest',
  },
  {
    from: 'Azure DevOps, a build',
    body: {
      publisherId: 'tfs',
      eventType: 'build.complete',
      message: { text: 'Build 7 succeeded', markdown: 'Build [7](https://dev.azure.com/7) succeeded' },
      detailedMessage: { text: 'Requested by Ada' },
      resource: { _links: { web: { href: 'https://dev.azure.com/7' } } },
    },
    content: '[Build 7 succeeded](https://dev.azure.com/7)\n\n> Requested by Ada',
  },
  {
    from: 'Amazon SNS, a notification',
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' },
    body: JSON.stringify({
      Type: 'Notification',
      TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
      Subject: 'ALARM: *disk*',
      Message: 'Full, @ada',
    }),
    content: `**ALARM: \\*disk\\***\n\nFull, @${QUIET}ada`,
  },
  {
    from: 'Amazon SNS, a subscription',
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': 'SubscriptionConfirmation',
    },
    body: JSON.stringify({
      Type: 'SubscriptionConfirmation',
      TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
      SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1',
    }),
    content:
      '**Amazon SNS wants to send messages to this channel**\n\narn:aws:sns:eu-west-1:123456789012:alarms: [confirm the subscription](https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1)',
  },
  {
    from: 'a program for Teams, a MessageCard',
    body: {
      '@type': 'MessageCard',
      '@context': 'http://schema.org/extensions',
      summary: 'Build 7',
      title: 'Build *7*',
      sections: [{ activityTitle: 'by **Ada**', facts: [{ name: 'Branch', value: 'main' }] }],
      potentialAction: [
        { '@type': 'OpenUri', name: 'Log', targets: [{ os: 'default', uri: 'https://ci.example.com/7' }] },
      ],
    },
    content: '**Build \\*7\\***\n\nby **Ada**\n\n**Branch** main\n\n[Log](https://ci.example.com/7)',
  },
  {
    from: 'a program for Teams, an Adaptive Card',
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: 'Build 7', weight: 'Bolder' },
              {
                type: 'Container',
                items: [{ type: 'FactSet', facts: [{ title: 'Branch', value: 'main' }] }],
              },
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Log', url: 'https://ci.example.com/7' }],
          },
        },
      ],
    },
    content: '**Build 7**\n\n**Branch** main\n\n[Log](https://ci.example.com/7)',
  },
  {
    from: 'a CloudEvent',
    headers: { 'content-type': 'application/cloudevents+json' },
    body: {
      specversion: '1.0',
      type: 'com.example.door.opened',
      source: '/house/door',
      subject: 'front',
      id: '7',
      data: 'by ada',
    },
    content: '/house/door: com.example.door.opened front\n\n```\nby ada\n```',
  },
  {
    from: 'a subscription that leads elsewhere',
    body: {
      Type: 'SubscriptionConfirmation',
      TopicArn: 'alarms',
      SubscribeURL: 'https://sns.eu-west-1.amazonaws.com.example.com/',
    },
    content: '**Amazon SNS wants to send messages to this channel**\n\nalarms: without a valid link',
  },
  {
    from: 'Sentry, an alert about an event',
    headers: { 'sentry-hook-resource': 'event_alert' },
    body: {
      action: 'triggered',
      actor: { id: 'sentry', name: 'Sentry', type: 'application' },
      data: {
        event: {
          event_id: '7',
          title: 'TypeError: door is undefined',
          culprit: 'open(app/door)',
          project: 1,
          url: 'https://sentry.io/api/0/projects/example/house/events/7/',
          web_url: 'https://sentry.io/organizations/example/issues/1/events/7/',
          issue_url: 'https://sentry.io/api/0/issues/1/',
        },
        triggered_rule: 'Many errors',
      },
    },
    content:
      'Sentry: Many errors [TypeError: door is undefined](https://sentry.io/organizations/example/issues/1/events/7/)\n\n> open(app/door)',
  },
  {
    from: 'Sentry, a metric alert',
    headers: { 'sentry-hook-resource': 'metric_alert' },
    body: {
      action: 'critical',
      data: {
        description_title: 'Critical: Too many errors',
        description_text: '1000 events in the last 10 minutes\\nFilter: level:error',
        metric_alert: { alert_rule: { name: 'Too many errors' } },
        web_url: 'https://sentry.io/organizations/example/alerts/rules/details/1/',
      },
    },
    content:
      'Sentry: [Critical: Too many errors](https://sentry.io/organizations/example/alerts/rules/details/1/)\n\n> 1000 events in the last 10 minutes\n> Filter: level:error',
  },
];
