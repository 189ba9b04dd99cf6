import { QUIET, type Recorded } from './recorded.ts';

const FORM = 'application/x-www-form-urlencoded';
const TEXT = 'text/plain; charset=utf-8';

/** Request bodies for Discord's webhooks, as Discord documents them. */
export const discordBodies: readonly Recorded[] = [
  {
    from: 'Discord, content',
    body: {
      username: 'Spidey Bot',
      avatar_url: 'https://example.com/a.png',
      content:
        '**Hi** <@123>, <@!124>, <@&5>, <#6>, </add item:7>, <:ok:8> <a:go:9> <t:1772323200:R> @everyone',
      tts: false,
      embeds: [],
      allowed_mentions: { parse: [] },
    },
    content: `**Hi** @${QUIET}123, @${QUIET}124, @${QUIET}5, #6, /add item, :ok: :go: 2026-03-01T00:00:00Z @${QUIET}everyone`,
  },
  {
    from: 'Discord, an embed',
    body: {
      content: null,
      embeds: [
        {
          author: { name: 'CI', url: 'https://ci.example.com' },
          title: 'Build #7 [main]',
          url: 'https://ci.example.com/7',
          description: 'All *green*',
          color: 5_763_719,
          fields: [
            { name: 'Branch', value: '`main`', inline: true },
            { name: 'Log', value: '```\nok\n```' },
          ],
          image: { url: 'https://ci.example.com/7.png' },
          thumbnail: { url: 'https://ci.example.com/t.png' },
          footer: { text: 'after 3 min' },
          timestamp: '2026-03-01T10:00:00.000Z',
        },
        { url: 'https://example.com/only' },
      ],
    },
    content: [
      '[CI](https://ci.example.com)',
      '[Build #7 \\[main\\]](https://ci.example.com/7)',
      'All *green*',
      '**Branch:** `main`\n**Log**\n```\nok\n```',
      '![Build #7 \\[main\\]](https://ci.example.com/7.png)',
      'after 3 min',
      '<https://example.com/only>',
    ].join('\n\n'),
  },
  {
    from: 'Discord, components',
    suffix: '/discord',
    body: {
      flags: 32_768,
      components: [
        {
          type: 17,
          components: [
            { type: 9, components: [{ type: 10, content: '# Done' }], accessory: { type: 11, media: {} } },
            {
              type: 1,
              components: [{ type: 2, style: 5, label: 'Open', url: 'https://example.com/open' }],
            },
          ],
        },
      ],
    },
    content: '# Done\n\n[Open](https://example.com/open)',
  },
  {
    from: 'Grafana with a picture, to Discord',
    headers: { 'content-type': 'multipart/form-data; boundary=b0undary' },
    suffix: '/discord',
    body: [
      '--b0undary',
      'Content-Disposition: form-data; name="payload_json"',
      '',
      JSON.stringify({ content: 'With a picture', embeds: [{ image: { url: 'attachment://a.png' } }] }),
      '--b0undary',
      'Content-Disposition: form-data; name="file0"; filename="a.png"',
      'Content-Type: image/png',
      '',
      'PNG',
      '--b0undary--',
      '',
    ].join('\r\n'),
    content: 'With a picture',
  },
];

/** Request bodies with text and little else. */
export const plainBodies: readonly Recorded[] = [
  { from: 'a script, message', body: { message: 'It is *done*' }, content: 'It is *done*' },
  { from: 'a script, msg', body: { msg: 'Done', level: 3 }, content: 'Done' },
  { from: 'a script, title', body: { title: 'Done *now*' }, content: '**Done \\*now\\***' },
  {
    from: 'a script, title and message',
    body: { title: 'Backup', message: 'took 3 min', priority: 5 },
    content: '**Backup**\n\ntook 3 min',
  },
  { from: 'a script, title and text', body: { title: 'A', text: 'B' }, content: '**A**\n\nB' },
  {
    from: 'Apprise, as JSON',
    headers: { 'user-agent': 'Apprise' },
    body: { version: '1.0', title: 'Disk', message: 'full', attachments: [], type: 'failure' },
    content: '**Disk**\n\nfull',
  },
  {
    from: 'Apprise, as a form',
    headers: { 'user-agent': 'Apprise', 'content-type': FORM },
    body: 'version=1.0&title=Disk&message=is+%2Afull%2A&type=failure',
    content: '**Disk**\n\nis *full*',
  },
  {
    from: 'Apprise, to Mattermost',
    headers: { 'user-agent': 'Apprise' },
    body: { text: 'Disk\r\nfull', icon_url: null, username: 'Apprise' },
    content: 'Disk\nfull',
  },
  {
    from: 'curl with text',
    headers: { 'content-type': TEXT },
    body: 'Done, 100 %\n',
    content: 'Done, 100 %',
  },
  {
    from: 'curl with text in braces',
    headers: { 'content-type': TEXT },
    body: '{not JSON}',
    content: '{not JSON}',
  },
  {
    from: 'curl with text, by its default media type',
    headers: { 'content-type': FORM },
    body: 'Done + 100%: all fine',
    content: 'Done + 100%: all fine',
  },
  {
    from: "Slack's form",
    headers: { 'content-type': FORM },
    suffix: '/slack',
    body: `payload=${encodeURIComponent('{"text":"*one* & two"}')}`,
    content: '**one** & two',
  },
  {
    from: "GitHub's form",
    headers: { 'content-type': FORM, 'x-github-event': 'ping' },
    suffix: '/github',
    body: `payload=${encodeURIComponent('{"zen":"Speak like a human."}')}`,
    content: 'webhook is connected: Speak like a human.',
  },
];
