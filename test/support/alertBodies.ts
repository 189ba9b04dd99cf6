import type { Recorded } from './recorded.ts';

// Request bodies from monitoring software, as its documentation shows them, with made-up values.

const alert = (status: string, labels: object, annotations: object, more: object = {}) => ({
  status,
  labels,
  annotations,
  startsAt: '2026-03-01T09:51:03.157Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'https://prometheus.example.com/graph?g0.expr=up%28%29',
  fingerprint: 'c6eadffa33fcdf37',
  ...more,
});

export const alertBodies: readonly Recorded[] = [
  {
    from: 'the Alertmanager',
    headers: { 'user-agent': 'Alertmanager/0.28.1' },
    body: {
      receiver: 'palaver',
      status: 'firing',
      alerts: [
        alert(
          'firing',
          { alertname: 'HighLoad', instance: 'db1:9100', severity: 'critical' },
          { summary: 'Load of 12 on db1', runbook_url: 'https://runbooks.example.com/load' },
        ),
        alert(
          'resolved',
          { alertname: 'HighLoad', instance: 'db_2:9100', severity: 'critical' },
          { summary: 'Load of *12*', description: 'It\nfell' },
        ),
      ],
      groupLabels: { alertname: 'HighLoad' },
      commonLabels: { alertname: 'HighLoad', severity: 'critical' },
      commonAnnotations: {},
      externalURL: 'https://alerts.example.com',
      version: '4',
      groupKey: '{}:{alertname="HighLoad"}',
      truncatedAlerts: 3,
    },
    content: [
      '**[\\[FIRING:1\\] HighLoad](https://alerts.example.com)** (severity=critical)',
      '',
      '- Load of 12 on db1 (instance=db1:9100) [source](https://prometheus.example.com/graph?g0.expr=up%28%29) [runbook](https://runbooks.example.com/load)',
      '- **resolved:** Load of \\*12\\* — It fell (instance=db_2:9100) [source](https://prometheus.example.com/graph?g0.expr=up%28%29)',
      '- and 3 more',
    ].join('\n'),
  },
  {
    from: 'the Alertmanager, without labels and annotations',
    body: {
      receiver: 'palaver',
      status: 'resolved',
      alerts: [alert('resolved', {}, {}, { generatorURL: '' })],
      groupLabels: {},
      commonLabels: {},
      commonAnnotations: {},
      externalURL: '',
      version: '4',
      groupKey: '{}:{}',
      truncatedAlerts: 0,
    },
    content: '**[RESOLVED] palaver**\n\n- an alert',
  },
  {
    from: "Grafana's webhook",
    body: {
      receiver: 'My Super Webhook',
      status: 'firing',
      orgId: 1,
      alerts: [
        alert(
          'firing',
          { alertname: 'High memory usage', team: 'blue' },
          { summary: 'Memory' },
          { values: { B: 44.2, C: 1 }, dashboardURL: '', panelURL: '' },
        ),
      ],
      groupLabels: {},
      commonLabels: { team: 'blue' },
      commonAnnotations: {},
      externalURL: 'https://grafana.example.com/',
      version: '1',
      groupKey: '{}:{}',
      truncatedAlerts: 0,
      title: '[FIRING:1]  (High memory usage blue)',
      state: 'alerting',
      message: '**Firing**\n\nValue: B=44.2, C=1\nLabels:\n - alertname = High memory usage\n',
    },
    content:
      '**[\\[FIRING:1\\] (High memory usage blue)](https://grafana.example.com/)**\n\n' +
      '**Firing**\n\nValue: B=44.2, C=1\nLabels:\n - alertname = High memory usage',
  },
  {
    from: "Grafana's webhook, with an empty message",
    body: {
      receiver: '',
      status: 'firing',
      orgId: 1,
      alerts: [alert('firing', { alertname: 'TestAlert' }, { summary: 'A test' }, { generatorURL: '' })],
      title: 'Test',
      state: 'alerting',
      message: '',
    },
    content: '**Test**\n\n- A test',
  },
  {
    from: 'Grafana before version 9',
    body: {
      dashboardId: 1,
      evalMatches: [{ value: 1, metric: 'Count', tags: {} }],
      imageUrl: 'https://grafana.example.com/image.png',
      message: 'Notification Message',
      orgId: 1,
      panelId: 2,
      ruleId: 1,
      ruleName: 'Panel Title alert',
      ruleUrl: 'https://grafana.example.com/d/hZ7BuVbWz/test',
      state: 'alerting',
      tags: {},
      title: '[Alerting] Panel Title alert',
    },
    content:
      '**[\\[Alerting\\] Panel Title alert](https://grafana.example.com/d/hZ7BuVbWz/test)**\n\n' +
      'Notification Message\n\n![\\[Alerting\\] Panel Title alert](https://grafana.example.com/image.png)',
  },
  {
    from: 'Uptime Kuma',
    body: {
      heartbeat: { monitorID: 1, status: 0, msg: 'timeout', important: true },
      monitor: { id: 1, name: 'Site', url: 'https://example.com' },
      msg: '[Site] [🔴 Down] timeout',
    },
    content: '[Site] [🔴 Down] timeout',
  },
];
