/** The endpoints for apps, and the names of their grant types. */
export const DEVICE_PATH = '/oauth/device_authorization';
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** The endpoint for the Model Context Protocol. The endpoints for single servers are below it. */
export const MCP_PATH = '/mcp';
/** The well-known path of the authorization server metadata (RFC 8414, section 3). */
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';
/** The well-known path of the protected resource metadata (RFC 9728, section 3.1). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
export const REGISTER_PATH = '/oauth/register';
export const CODE_GRANT = 'authorization_code';
export const REFRESH_GRANT = 'refresh_token';
