/** The credentials of requests (OpenAPI 3.1, Security Scheme Object). */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key; it begins with `sk_live_`. It is for one server and has the flags of its role.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-palaver',
    description:
      'The session of a person who is signed in, with the header of `server`. Over plain HTTP the cookie is `palaver`.',
  },
  app: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The session of a person in an app, with the header of `server`; the token begins with `access_plv_`.',
  },
  server: {
    type: 'apiKey',
    in: 'header',
    name: 'Palaver-Server',
    description:
      'The id of the server in which the person acts, or `none`. A session counts only with it, and that of a cookie only from pages of this server.',
  },
} as const;

/** A person's session, in a browser or an app. Both require the header. */
export const sessions = [
  { session: [], server: [] },
  { app: [], server: [] },
];
