// Configures dependency-cruiser: which parts each part of the server and of the web client may import. All other
// imports between parts are forbidden.

const bottom = ['errors', 'lib'];
const data = [...bottom, 'db'];
const events = [...data, 'access', 'feed'];
const base = [...events, 'limits', 'files', 'mail', 'accounts/openid', 'operations', 'payloads'];

const mayImport = {
  errors: [],
  lib: [],
  files: bottom,
  limits: [...data, 'access'],
  mail: data,
  clock: data,
  'accounts/openid': bottom,
  config: [...bottom, 'limits', 'mail', 'accounts/openid'],
  db: bottom,
  access: data,
  feed: [...data, 'access'],
  webhooks: events,
  flows: events,
  payloads: bottom,
  operations: base,
  // Nouns may import each other, but not in cycles, which `nouns.ts` checks.
  resources: [...base, 'webhooks', 'flows', 'clock', 'accounts'],
  accounts: [...base, 'webhooks', 'resources', 'http'],
  http: base,
  push: [...base, 'webhooks', 'resources'],
  digest: [...base, 'push', 'http'],
  app: [...base, 'clock', 'resources', 'accounts', 'imports', 'http', 'push', 'digest'],
  removal: [...base, 'resources', 'accounts'],
  imports: [...base, 'clock', 'resources', 'accounts', 'webhooks'],
  node: [
    ...base,
    'config',
    'webhooks',
    'clock',
    'resources',
    'accounts',
    'removal',
    'push',
    'digest',
    'imports',
    'app',
  ],
  cli: [...base, 'flows', 'resources', 'accounts', 'removal', 'imports', 'config', 'node'],
  main: ['cli'],
};

/** A part is a folder of `server/src`, or a file in it. */
const pathOf = (parts) => `^server/src/(${parts.join('|')})(/|\\.ts$)`;

const directions = Object.entries(mayImport).map(([part, others]) => ({
  name: `${part} imports ${others.join(', ') || 'no other part'}`,
  severity: 'error',
  from: { path: pathOf([part]) },
  to: { path: '^(server/src|test|bench|scripts)/', pathNot: pathOf([part, ...others]) },
}));

const web = ['api', 'may', 'replica', 'routes', 'keptScroll', 'Link', 'strings', 'ui'];
/** The parts of the web client, each with the parts that it may import. A feature is a folder `features/<topic>`. */
const webParts = {
  routes: ['api'],
  keptScroll: ['routes'],
  Link: ['routes'],
  strings: [],
  api: ['strings'],
  replica: ['api', 'may'],
  may: ['api', 'replica'],
  ui: ['strings', 'api'],
  features: web,
};
const pathInWeb = (parts) => `^web/(${parts.join('|')})(/|\\.tsx?$)`;

const webDirections = Object.entries(webParts).map(([part, others]) => ({
  name: `web/${part} imports ${others.join(', ') || 'no other part'}`,
  severity: 'error',
  from: { path: pathInWeb([part]) },
  to: {
    path: '^(web|server|test|bench|scripts)/',
    pathNot: `${pathInWeb([part, ...others])}|\\.css$|^server/src/lib/(text/|quietHours\\.ts$)`,
  },
}));

/**
 * The features in layers, from the bottom up. Each feature may import features from lower layers, but none
 * from its own layer. Lazily loaded pages and panels, such as `channel/settings`, are in their feature's
 * layer.
 */
const floors = [
  ['code'],
  [
    'appearance',
    'attachment',
    'block',
    'date',
    'editing',
    'emoji',
    'language',
    'level',
    'markdown',
    'presence',
    'upload',
  ],
  ['session'],
  ['settings'],
  ['claim'],
  [
    'audit',
    'ban',
    'customEmoji',
    'export',
    'flow',
    'invitation',
    'invite',
    'key',
    'member',
    'report',
    'webhook',
    'wordRule',
    'heldMessage',
  ],
  ['app', 'direct', 'mention', 'reaction', 'role', 'server', 'typing', 'usage'],
  ['interaction', 'later'],
  ['channel', 'composer'],
  ['message'],
  ['conversation', 'pin', 'search'],
  ['notification', 'thread'],
  ['me', 'palette', 'panel', 'platform', 'serverSettings'],
  ['frame'],
];

const floorDirections = floors.map((floor, height) => {
  const below = floors.slice(0, height).flat();
  return {
    name: `${floor.join(', ')} import only features in lower layers`,
    severity: 'error',
    from: { path: `^web/features/(${floor.join('|')})/` },
    to: { path: '^web/features/', pathNot: `^web/features/(${['$1', ...below].join('|')})/` },
  };
});

export default {
  forbidden: [
    ...directions,
    ...webDirections,
    ...floorDirections,
    {
      name: 'every feature is in a layer',
      severity: 'error',
      from: {},
      to: { path: '^web/features/', pathNot: `^web/features/(${floors.flat().join('|')})/` },
    },
    {
      name: 'features import only index.ts from other features',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: {
        path: '^web/features/',
        pathNot: '^web/features/($1/|[^/]+/index\\.tsx?$|[^/]+/[^/]+/index\\.tsx?$)',
      },
    },
    {
      name: 'the replica imports no UI code, except in its hooks',
      severity: 'error',
      from: { path: '^web/replica/', pathNot: '^web/replica/hooks\\.ts$' },
      to: { path: '(^|/)(react|react-dom|preact)(/|$)|\\.css$|^web/replica/hooks\\.ts$' },
    },
    {
      name: 'the web client imports neither the server nor its tools, except the text parser and quiet hours',
      severity: 'error',
      from: { path: '^web/.*\\.tsx?$' },
      to: { path: '^(server|test|bench|scripts)/', pathNot: '^server/src/lib/(text/|quietHours\\.ts$)' },
    },
    {
      name: 'the text parser runs in a browser: it imports nothing else',
      severity: 'error',
      from: { path: '^server/src/lib/text/' },
      to: { pathNot: '^server/src/lib/text/' },
    },
    {
      name: 'only tests import the web client',
      severity: 'error',
      from: { path: '^(server|client|bench|scripts)/', pathNot: '^scripts/(strings/|words\\.ts)' },
      to: { path: '^web/' },
    },
    {
      name: 'scripts/strings and scripts/words.ts read texts through the build',
      severity: 'error',
      from: { path: '^scripts/(strings/|words\\.ts)' },
      to: { path: '^web/', pathNot: '^web/(buildLanguages|messages)\\.js$' },
    },
    {
      name: 'every part is listed with its imports',
      severity: 'error',
      from: {},
      to: { path: '^server/src/', pathNot: pathOf(Object.keys(mayImport)) },
    },
    {
      name: 'the client imports no other workspace',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(server|test|bench|scripts)/' },
    },
    {
      name: 'the client imports no Node modules',
      severity: 'error',
      from: { path: '^client/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the server does not import the client',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^client/' },
    },
    {
      name: 'the rules run in a browser: they import no Node modules, database code or packages',
      severity: 'error',
      from: { path: '^server/src/access/(may|rules|conditions|predicates|visibility|principal)\\.ts$' },
      to: { reachable: true, pathNot: '^server/src/(access/|lib/flags\\.ts|errors\\.ts)' },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no unresolved imports',
      severity: 'error',
      // The packages of test/generators are installed when its tests run. The tests would fail if one were missing.
      from: { pathNot: '^test/generators/generate\\.js$' },
      // esbuild resolves the client to its sources, and React's names to Preact.
      to: {
        couldNotResolve: true,
        pathNot: '^(@palaver/client|react|react/jsx-runtime|react-dom|react-dom/client)$',
      },
    },
  ],
  required: [],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/dist(-react)?/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
