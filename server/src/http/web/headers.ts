const OWN_SCRIPTS = "script-src 'self'";

/**
 * The client's Content-Security-Policy. It allows only scripts and styles from this server, and nothing that
 * is injected into the page. Its only Trusted Types policy is for the URL of the service worker, which counts
 * as a script.
 */
const POLICY = [
  "default-src 'none'",
  OWN_SCRIPTS,
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  // Allows previews of PDF files. The client sets their media type.
  'frame-src blob:',
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

/**
 * The Permissions-Policy header. It allows the browser features that the client uses, for its own origin
 * only, and denies sensitive features that it does not use.
 */
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

/**
 * Returns the headers of a shell with the build's inline script, which the policy allows by its digest in
 * `script`.
 */
export const shellHeadersWith = (script: string): typeof shellHeaders => ({
  ...shellHeaders,
  'content-security-policy': POLICY.replace(OWN_SCRIPTS, `${OWN_SCRIPTS} ${script}`),
});
