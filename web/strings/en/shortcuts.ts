import { texts } from '../texts.ts';

/** The page of keyboard shortcuts. */
export const shortcuts = texts({
  lead: 'Palaver works without a mouse. Press Tab to move between areas, and the arrow keys to move within one.',
  groups: [
    {
      title: 'General',
      keys: [
        ['Find a channel, person, action, setting or date', 'Ctrl K', '⌘ K'],
        ['Previous or next channel', 'Alt ↑', 'Alt ↓'],
        ['Previous or next unread channel', 'Alt Shift ↑', 'Alt Shift ↓'],
        ['Open the menu of a channel or server', 'Shift F10'],
        ['Search this server', 'Ctrl F', '⌘ F'],
        ['Open, focus or close the inbox', 'Ctrl Shift M', '⌘ ⇧ M'],
        ['Close', 'Esc'],
      ],
    },
    {
      title: 'Messages',
      keys: [
        ['Previous or next message', '↑', '↓'],
        ['Move focus into the message', 'Enter'],
        ['Move focus back out', 'Esc'],
        ['Reply, quote, or open thread', 'R', 'Q', 'T'],
        ['React, edit, or pin', '+', 'E', 'P'],
        ['Copy text or link', 'C', 'L'],
        ['Mark as unread, or delete', 'U', 'Del'],
        ['Save for later', 'S'],
      ],
    },
    {
      title: 'Inbox',
      keys: [
        ['Previous or next notification', '↑', '↓'],
        ['Open the message', 'Enter'],
        ['Mark as read, or remove', 'M', 'Del'],
        ['Go to the filter', 'Shift Tab'],
      ],
    },
    {
      title: 'Writing',
      keys: [
        ['Send', 'Enter'],
        ['New line', 'Shift Enter'],
        ['Edit your last message (in an empty field)', '↑'],
        ['Bold, italic, code', 'Ctrl B', 'Ctrl I', 'Ctrl E', '⌘ B', '⌘ I', '⌘ E'],
        ['Strikethrough, link', 'Ctrl Shift X', 'Ctrl Shift U', '⌘ ⇧ X', '⌘ ⇧ U'],
        ['Ordered list', 'Ctrl Shift 7', '⌘ ⇧ 7'],
        ['Bulleted list, quote', 'Ctrl Shift 8', 'Ctrl Shift 9', '⌘ ⇧ 8', '⌘ ⇧ 9'],
        ['Code block', 'Ctrl Alt Shift C', '⌘ ⌥ ⇧ C'],
      ],
    },
  ],
});
