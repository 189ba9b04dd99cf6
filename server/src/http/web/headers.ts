const OWN_SCRIPTS = "script-src 'self'";

/**
 * The policy of the client: scripts and styles of this server alone, and nothing written into the page. The one policy of Trusted
 * Types is for the address of the service worker, which browsers take for a script.
 */
const POLICY = [
  "default-src 'none'",
  OWN_SCRIPTS,
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types service-worker',
].join('; ');

/** The features of browsers that the client uses, each for itself alone; of the others that ask for a permission, none. */
const PERMISSIONS = [
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'hid=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'serial=()',
  'usb=()',
  'clipboard-write=(self)',
  'fullscreen=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');

/** The headers of the shell. */
export const shellHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
};

/** Those of a shell with the one script that the build puts into the page. Its policy names it, by its digest in `script`. */
export const shellHeadersWith = (script: string): typeof shellHeaders => ({
  ...shellHeaders,
  'content-security-policy': POLICY.replace(OWN_SCRIPTS, `${OWN_SCRIPTS} ${script}`),
});
