/** The settings of a server: what cannot be undone. */
export const dangerSettings = {
  title: 'Danger zone',
  lead: 'What is done here cannot be undone.',
  creatorOnly: 'Only the creator of the server may do that.',
  handOver: {
    title: 'Hand the server over',
    lead: 'Make another member its creator: they can then do everything, and you keep your roles.',
    action: 'Hand over',
    choose: 'Who shall have the server?',
    ask: (server: string, name: string) => `Hand “${server}” over to ${name}?`,
    text: (name: string) => `${name} becomes its creator. You cannot take it back; only they can.`,
    done: (name: string) => `The server now belongs to ${name}.`,
  },
  leave: {
    title: 'Leave the server',
    lead: 'Your messages stay. Your API keys for this server, and the webhooks and agents that you made, end at once.',
    creator: 'You are its creator: hand the server over first, or delete it.',
    action: 'Leave',
    ask: (name: string) => `Leave “${name}”?`,
    text: 'Your keys, webhooks and agents here end at once. To come back you may need an invite.',
    done: (name: string) => `You have left “${name}”.`,
  },
  delete: {
    title: 'Delete the server',
    lead: 'Deletes all channels, messages, files, roles, keys and webhooks, for everybody and for good.',
    creatorOnly: 'Only the creator of the server may delete it.',
    action: 'Delete the server',
    ask: (name: string) => `Delete “${name}” for good?`,
    text: 'All channels, messages, files, keys and webhooks are gone for everybody. Nobody can bring them back.',
    done: (name: string) => `“${name}” is deleted.`,
  },
};
