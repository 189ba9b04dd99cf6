/**
 * Real payloads from software that posts to Slack's incoming webhooks, each with the content that Palaver derives
 * from it.
 */
export const payloads: readonly { from: string; body: object; content: string }[] = [
  {
    from: 'Grafana',
    body: {
      channel: '#alerts',
      username: 'Grafana',
      icon_emoji: ':grafana:',
      attachments: [
        {
          title: '[FIRING:1]  (val1)',
          title_link: 'http://localhost/alerting/list',
          text: '\n**Firing**\nLabels:\n - alertname = alert1\n - lbl1 = val1\nAnnotations:\n - ann1 = annv1\nSource: \n\n\n',
          image_url: 'https://www.example.com/test-image-1.jpg',
          fallback: '[FIRING:1]  (val1)',
          footer: 'Grafana v12.1.0',
          footer_icon: 'https://grafana.com/static/assets/img/fav32.png',
          color: '#D63232',
          ts: 1_772_323_200,
          pretext: '<!here|here> <!subteam^S0123> <@U0456>',
          mrkdwn_in: ['pretext'],
        },
      ],
    },
    content: [
      '@\u200Bhere @\u200Bsubteam @\u200BU0456',
      '',
      '[\\[FIRING:1\\] (val1)](http://localhost/alerting/list)',
      '',
      '**Firing**',
      'Labels:',
      ' - alertname = alert1',
      ' - lbl1 = val1',
      'Annotations:',
      ' - ann1 = annv1',
      'Source:',
      '',
      '![\\[FIRING:1\\] (val1)](https://www.example.com/test-image-1.jpg)',
      '',
      'Grafana v12.1.0',
    ].join('\n'),
  },
  {
    from: 'the Prometheus Alertmanager',
    body: {
      channel: '#alerts',
      username: 'Alertmanager',
      attachments: [
        {
          title: '[FIRING:1] HighLoad',
          title_link: 'https://alerts.example.com/#/alerts?receiver=slack',
          text: 'load &gt; 5 &amp; rising',
          fallback: '[FIRING:1] HighLoad | https://alerts.example.com',
          fields: [{ title: 'Severity', value: 'critical', short: true }],
          actions: [{ type: 'button', text: 'Runbook :blue_book:', url: 'https://example.com/runbook' }],
          mrkdwn_in: ['fallback', 'pretext', 'text'],
        },
      ],
    },
    content: [
      '[\\[FIRING:1\\] HighLoad](https://alerts.example.com/#/alerts?receiver=slack)',
      '',
      'load > 5 & rising',
      '',
      '**Severity:** critical',
      '',
      '[Runbook :blue_book:](https://example.com/runbook)',
    ].join('\n'),
  },
  {
    from: "Slack's own GitHub action",
    body: {
      text: '*GitHub Action build result*: success\nhttps://github.com/owner/repository/pull/7',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: 'GitHub Action build result: success\nhttps://github.com/owner/repository/pull/7',
          },
        },
      ],
    },
    content: 'GitHub Action build result: success\nhttps://github.com/owner/repository/pull/7',
  },
  {
    from: 'a step that tells of a deployment with attachments',
    body: {
      text: 'Deployment started :eyes:',
      attachments: [{ color: 'dbab09', fields: [{ title: 'Status', short: true, value: 'In Progress' }] }],
    },
    content: 'Deployment started :eyes:\n\n**Status:** In Progress',
  },
  {
    from: 'a script with all kinds of blocks',
    body: {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Release <1.2>', emoji: true } },
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: 'See <https://example.com/a?b=1&amp;c=2|the notes>, <https://example.com>',
          },
          fields: [
            { type: 'mrkdwn', text: '*By:* <@U1|ada>' },
            { type: 'plain_text', text: 'In: Oslo' },
          ],
          accessory: {
            type: 'button',
            text: { type: 'plain_text', text: 'Open' },
            url: 'https://example.com/open',
          },
        },
        { type: 'divider' },
        {
          type: 'context',
          elements: [
            { type: 'image', image_url: 'https://example.com/flag.png', alt_text: 'a flag' },
            { type: 'mrkdwn', text: '<!date^1392734382^{date}|18 February> in <#C1|general>' },
          ],
        },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Done ' },
                { type: 'emoji', name: 'tada' },
              ],
            },
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [{ type: 'link', url: 'https://example.com', text: 'one' }],
                },
                { type: 'rich_text_section', elements: [{ type: 'text', text: 'two' }] },
              ],
            },
            { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'make test' }] },
          ],
        },
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: 'No link' }, value: 'x' }],
        },
        { type: 'something new', text: 'what is this' },
      ],
    },
    content: [
      '## Release <1.2>',
      '',
      'See [the notes](https://example.com/a?b=1&c=2), <https://example.com>',
      '',
      '**By:** @ada',
      'In: Oslo',
      '',
      '[Open](https://example.com/open)',
      '',
      '---',
      '',
      '![a flag](https://example.com/flag.png) 18 February in #general',
      '',
      'Done :tada:',
      '',
      '- [one](https://example.com)',
      '- two',
      '',
      '```',
      'make test',
      '```',
    ].join('\n'),
  },
  {
    from: 'an old script',
    body: { attachments: [{ fallback: 'plain &lt;text&gt;' }] },
    content: 'plain \\<text>',
  },
];
