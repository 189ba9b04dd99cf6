import { callTemplate } from '../lib/settings.ts';

/** The setting for voice and video calls, which another service provides. */
export const callSettings = {
  callUrl: {
    env: 'PALAVER_CALL_URL',
    default: '',
    about:
      'URL of voice and video calls, for example https://meet.example.com/{room}; {room} is a secret name for each channel, {name} the name of the person. If empty, no call button is shown',
    parse: callTemplate,
  },
};
