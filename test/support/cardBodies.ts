import { QUIET, type Recorded } from './recorded.ts';

// Cards for other chat systems, and CloudEvents in all modes, in the shapes that their documentation describes.

export const cardBodies: readonly Recorded[] = [
  {
    from: 'a program for Teams, with other elements',
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [
              {
                type: 'RichTextBlock',
                inlines: [{ type: 'TextRun', text: 'Build 7', weight: 'Bolder' }, ' is *done*'],
              },
              {
                type: 'Table',
                rows: [
                  {
                    cells: [
                      { items: [{ type: 'TextBlock', text: 'a' }] },
                      { items: [{ type: 'TextBlock', text: 'b' }] },
                    ],
                  },
                ],
              },
              {
                type: 'ImageSet',
                images: [{ type: 'Image', url: 'https://example.com/a.png', altText: 'A' }],
              },
              { type: 'CodeBlock', codeSnippet: 'let x;', language: 'JavaScript' },
            ],
          },
        },
      ],
    },
    content: '**Build 7** is \\*done\\*\n\na | b\n\n![A](https://example.com/a.png)\n\n```\nlet x;\n```',
  },
  {
    from: 'a program for Teams, a section with everything',
    body: {
      '@type': 'MessageCard',
      '@context': 'https://schema.org/extensions',
      themeColor: '0076D7',
      sections: [
        {
          activityTitle: 'Ada',
          activitySubtitle: 'in House',
          activityText: 'opened the door',
          heroImage: { image: 'https://example.com/door.png', title: 'Door' },
          potentialAction: [{ '@type': 'OpenUri', name: 'See', targets: [{ uri: 'https://example.com' }] }],
        },
      ],
    },
    content:
      'Ada\n\nin House\n\nopened the door\n\n![Door](https://example.com/door.png)\n\n[See](https://example.com)',
  },
  {
    from: 'a program for Google Chat',
    body: {
      text: 'Build *7*',
      cardsV2: [
        {
          cardId: 'build',
          card: {
            header: { title: 'House', subtitle: 'main' },
            sections: [
              {
                header: 'Result',
                widgets: [
                  { decoratedText: { topLabel: 'Status', text: '<font color="#0f0"><b>passed</b></font>' } },
                  {
                    textParagraph: {
                      text: 'By @ada &amp; <a href="https://example.com/a">Bob</a><br>at *noon*',
                    },
                  },
                  {
                    textParagraph: {
                      text: '<a href="https://example.com/b"><b>Build</b> <i>7</i><br>log</a> of <b>main</b>, <a href="https://example.com/c">open',
                    },
                  },
                  { divider: {} },
                  { image: { imageUrl: 'https://example.com/a.png', altText: 'A' } },
                  {
                    buttonList: {
                      buttons: [
                        { text: 'Log', onClick: { openLink: { url: 'https://ci.example.com/7' } } },
                        { text: 'Retry', onClick: { action: { function: 'retry' } } },
                      ],
                    },
                  },
                  {
                    columns: {
                      columnItems: [
                        { widgets: [{ textParagraph: { text: 'left' } }] },
                        { widgets: [{ textParagraph: { text: 'right' } }] },
                      ],
                    },
                  },
                ],
              },
            ],
          },
        },
      ],
    },
    content: `Build **7**\n\n**House**\n\nmain\n\n**Result**\n\n**Status:** **passed**\n\nBy @${QUIET}ada & [Bob](https://example.com/a)\nat \\*noon\\*\n\n[Build 7 log](https://example.com/b) of **main**, open\n\n![A](https://example.com/a.png)\n\n[Log](https://ci.example.com/7)\n\nleft\nright`,
  },
  {
    from: 'a program for Google Chat, cards of version 1',
    body: {
      cards: [
        {
          header: { title: 'House' },
          sections: [
            {
              widgets: [
                { keyValue: { topLabel: 'Build', content: '7', bottomLabel: 'main' } },
                {
                  buttons: [
                    { textButton: { text: 'LOG', onClick: { openLink: { url: 'https://example.com' } } } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    content: '**House**\n\n**Build:** 7\nmain\n\n[LOG](https://example.com)',
  },
  {
    from: 'a CloudEvent with JSON',
    headers: { 'content-type': 'application/cloudevents+json' },
    body: { specversion: '1.0', type: 'opened', source: '/door', id: '7', data: { by: 'ada', times: 2 } },
    content: '/door: opened\n\n```\n{\n  "by": "ada",\n  "times": 2\n}\n```',
  },
  {
    from: 'a CloudEvent in binary mode',
    headers: {
      'content-type': 'application/json',
      'ce-specversion': '1.0',
      'ce-type': 'opened',
      'ce-source': '/t%C3%BCr',
      'ce-id': '7',
    },
    body: { by: 'ada' },
    content: '/tür: opened\n\n```\n{\n  "by": "ada"\n}\n```',
  },
  {
    from: 'a CloudEvent in binary mode, with a text',
    headers: {
      'content-type': 'application/xml',
      'ce-specversion': '1.0',
      'ce-type': 'opened',
      'ce-source': '/door',
      'ce-id': '7',
    },
    body: '<by>ada</by>',
    content: '/door: opened\n\n```\n<by>ada</by>\n```',
  },
  {
    from: 'a batch of CloudEvents',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: Array.from({ length: 12 }, (_, id) => ({
      specversion: '1.0',
      type: 'opened',
      source: `/${id}`,
      id,
    })),
    content: `${Array.from({ length: 10 }, (_, id) => `/${id}: opened`).join('\n\n')}\n\nand 2 more`,
  },
];
