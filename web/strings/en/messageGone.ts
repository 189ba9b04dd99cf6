/** The texts for somebody whose message was deleted while they edited it. */
export const messageGone = {
  gone: 'The message that you were editing was deleted.',
  write: 'Write it anew',
  copy: 'Copy your text',
  copied: 'Copied',
};
