import { Type } from '../lib/schema.ts';
import { serverCreators, signUps } from '../limits/runtime.ts';
import { count, flag, oneOf } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { MAX_USERNAME_CHARACTERS } from '../resources/user.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './password.ts';

const entrance = Type.Object(
  {
    signUp: oneOf(
      [...signUps],
      'Sign-up: open to anyone, to anyone with an invite, or only with a link from the operator',
    ),
    serverCreators: oneOf(
      [...serverCreators],
      'Server creation: open to anybody, or only to platform admins',
    ),
    sendsMails: flag('Whether forgotten passwords can be reset by email', true),
    minPasswordCharacters: count(undefined, MIN_PASSWORD_CHARACTERS),
    maxPasswordCharacters: count(undefined, MAX_PASSWORD_CHARACTERS),
    maxUsernameCharacters: count(undefined, MAX_USERNAME_CHARACTERS),
  },
  { $id: 'Entrance', title: 'Entrance', additionalProperties: false },
);

export const entranceOperations = [
  read({
    operation: 'personEntrance',
    people: true,
    open: true,
    path: '/entrance',
    tag: 'session',
    summary: 'Get the sign-in options of this server',
    description: 'Intended for the sign-in page, so it requires no session.',
    visible: 'anyone',
    answer: entrance,
    target: () => ({ serverId: null, open: true }),
    async run({ services: { mail, settings } }) {
      const { signUp, serverCreators } = await settings.current();
      return {
        signUp,
        serverCreators,
        sendsMails: mail !== undefined,
        minPasswordCharacters: MIN_PASSWORD_CHARACTERS,
        maxPasswordCharacters: MAX_PASSWORD_CHARACTERS,
        maxUsernameCharacters: MAX_USERNAME_CHARACTERS,
      };
    },
  }),
];
