/** The credentials for requests (OpenAPI 3.1, Security Scheme Object). */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, starting with `sk_live_`. It belongs to one server and has the flags of its role.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-palaver',
    description:
      'The session cookie of a signed-in person, with the header of `server`. Over plain HTTP it is called `palaver`.',
  },
  app: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The session token of a signed-in person in an app, starting with `access_plv_`, with the header of `server`.',
  },
  server: {
    type: 'apiKey',
    in: 'header',
    name: 'Palaver-Server',
    description:
      "The id of the server the person acts in, or `none`. Sessions require it, and session cookies are accepted only from Palaver's own pages.",
  },
} as const;

/** A person's session, in a browser or an app. Both require the `Palaver-Server` header. */
export const sessions = [
  { session: [], server: [] },
  { app: [], server: [] },
];
