import type { Static } from 'typebox';
import { Type } from '../../../lib/schema.ts';
import { oneOf, optional, reference, text, time, webUrl } from '../../../operations/fields.ts';
import { shownAttachment } from '../../attached.ts';
import { button, decision, element, form, kind, label, ownId, union } from './elements.ts';

// The blocks that an agent adds to a message. Clients show them below the content (docs/api/blocks.md).

const MAX_BLOCKS = 50;
/** Maximum size of a list of blocks, in UTF-8 bytes of JSON. */
export const MAX_BLOCK_BYTES = 16 * 1024;
const MAX_ELEMENTS = 25;
const MAX_TASKS = 50;
/** Maximum number of users, and of roles, in an approval. */
const MAX_DECIDERS = 20;

const blockId = optional(ownId('Unique in its message. If omitted, blocks are numbered', 'a1'));

const markdown = (max: number, example: string) =>
  text({ min: 1, max, description: 'CommonMark, as `content`', examples: [example] });

const image = {
  attachmentId: reference('An image among the files of the message'),
  alt: label(1_000, 'A chart of response times', 'Alternative text, for people who cannot see the image'),
};

const sectionImage = Type.Object(image, {
  $id: 'SectionImage',
  title: 'SectionImage',
  additionalProperties: true,
});

const section = kind(
  'section',
  'SectionBlock',
  {
    id: blockId,
    text: markdown(4_000, '**Deploy 41** is ready.'),
    image: optional(sectionImage),
    button: optional(union([button, form])),
  },
  'Text with an optional image, and an optional button or form.',
);

const imageBlock = kind('image', 'ImageBlock', { id: blockId, ...image });

const divider = kind('divider', 'DividerBlock', { id: blockId });

const context = kind(
  'context',
  'ContextBlock',
  { id: blockId, text: markdown(1_000, 'Asked by *release bot*') },
  'Small text, such as a source or a time.',
);

const rule = oneOf(
  ['first', 'all'],
  'With `first`, the first decision counts, or the first `count` decisions. With `all`, each of these users, and one member with each of these roles, has to decide',
);

const deciders = Type.Object(
  {
    userIds: optional(Type.Array(reference(), { maxItems: MAX_DECIDERS })),
    roleIds: optional(Type.Array(reference(), { maxItems: MAX_DECIDERS })),
    rule: optional(rule),
    count: optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DECIDERS,
        description: 'How many different people have to decide, with the rule `first`',
        examples: [2],
      }),
    ),
  },
  {
    $id: 'Deciders',
    title: 'Deciders',
    additionalProperties: true,
    description:
      'Turns the block into an approval that only these users and members with these roles can decide',
  },
);

const actions = {
  id: ownId('Unique in its message; the `blockId` of interactions', 'a1'),
  elements: Type.Array(element, { minItems: 1, maxItems: MAX_ELEMENTS }),
  deciders: optional(deciders),
};

const actionsBlock = kind('actions', 'ActionsBlock', actions, 'Buttons, selects, dates and forms.');

const shownActions = kind(
  'actions',
  'ShownActionsBlock',
  {
    ...actions,
    decisions: optional(
      Type.Array(decision, { description: 'The decisions of an approval so far, oldest first' }),
    ),
    decidedAt: optional(time('When the rule of an approval was met. Nobody can decide afterwards')),
  },
  'Buttons, selects, dates and forms; with `deciders`, an approval with its decisions.',
);

const taskList = kind('taskList', 'TaskListBlock', {
  id: blockId,
  title: optional(label(150, 'Release 41')),
  tasks: Type.Array(
    Type.Object(
      {
        text: label(150, 'Run the tests'),
        state: oneOf(['pending', 'working', 'done', 'failed']),
      },
      { $id: 'Task', title: 'Task', additionalProperties: true },
    ),
    { minItems: 1, maxItems: MAX_TASKS },
  ),
});

const pagePicture = Type.Object(shownAttachment.properties, {
  $id: 'PreviewImage',
  title: 'PreviewImage',
  additionalProperties: false,
});

const preview = kind(
  'preview',
  'PreviewBlock',
  {
    id: blockId,
    url: webUrl('The link in the content'),
    title: text({ max: 200, examples: ['Tide tables'] }),
    text: optional(text({ max: 300, examples: ['High and low water for every harbour'] })),
    site: optional(text({ max: 80, examples: ['Harbour office'] })),
    image: optional(pagePicture),
  },
  'The title, description and picture of a linked page. The picture is a file of the message that is not among its `attachments`. Palaver adds previews to messages without blocks if the server has turned on link previews; nobody can send them.',
);

const plain = [section, imageBlock, divider, context] as const;

const list = { maxItems: MAX_BLOCKS };
const bounds = `at most ${MAX_BLOCKS}, and ${MAX_BLOCK_BYTES / 1024} KB as JSON`;
/** An example for the OpenAPI documents. */
export const approval = {
  type: 'actions',
  id: 'a1',
  elements: [
    { type: 'button', id: 'ok', text: 'Approve', value: '1', style: 'primary' },
    { type: 'button', id: 'no', text: 'Reject', value: '0' },
  ],
} satisfies Static<typeof actionsBlock>;

/** Blocks as an agent sends them. */
export const blocks = Type.Array(union([...plain, actionsBlock, taskList]), {
  ...list,
  description: `Blocks shown below the content, ${bounds}. Only agents can send them. Search and notifications use the content`,
  examples: [[approval]],
});

/** Blocks as reads show them. */
export const shownBlocks = Type.Array(union([...plain, shownActions, taskList, preview]), {
  ...list,
  description: 'The blocks of the message, which clients show below the content; absent if there are none',
  examples: [[approval]],
});

export type Block = Static<typeof blocks>[number];
export type ShownBlock = Static<typeof shownBlocks>[number];
export type ShownActions = Extract<ShownBlock, { type: 'actions' }>;
