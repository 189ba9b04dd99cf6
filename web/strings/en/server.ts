import { plural } from '../format.ts';

const members = (count: number): string => plural(count, { one: '# member', other: '# members' });

/** The texts of servers: making one, their menu, and inviting people. */
export const server = {
  create: 'Make a server',
  createMore:
    'A server is a place for a group of people, with channels, roles and apps of its own. You decide who comes.',
  name: 'Name of the server',
  make: 'Make it',
  /** The name of the channel with which a new server begins. */
  firstChannel: 'general',
  /** The button of the menu begins with what it shows: so those who speak to their device find it. */
  menuWith: (name: string, count: number) => `${name}, ${members(count)}: menu of the server`,
  members,
};
