// dependency-cruiser: the parts that each part of the server may import. Everything else is forbidden.

const bottom = ['errors', 'lib'];
const data = [...bottom, 'db'];
const events = [...data, 'access', 'feed'];
const operated = [...events, 'limits', 'files', 'mail', 'providers', 'operations'];

const mayImport = {
  errors: [],
  lib: [],
  files: bottom,
  limits: [...data, 'access'],
  mail: data,
  providers: bottom,
  config: [...bottom, 'limits', 'mail', 'providers'],
  db: bottom,
  access: data,
  feed: [...data, 'access'],
  webhooks: events,
  operations: [...events, 'limits', 'files', 'mail', 'providers'],
  resources: [...operated, 'webhooks'],
  http: operated,
  app: [...operated, 'resources', 'http'],
  node: [...operated, 'webhooks', 'resources', 'app', 'config'],
  cli: [...operated, 'resources', 'config', 'node'],
  main: ['cli'],
};

/** A part is a folder of `server/src`, or a file in it. */
const pathOf = (parts) => `^server/src/(${parts.join('|')})(/|\\.ts$)`;

const directions = Object.entries(mayImport).map(([part, others]) => ({
  name: `${part} imports ${others.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: pathOf([part]) },
  to: { path: '^(server/src|test|bench|scripts)/', pathNot: pathOf([part, ...others]) },
}));

export default {
  forbidden: [
    ...directions,
    {
      name: 'every part has its direction',
      severity: 'error',
      from: {},
      to: { path: '^server/src/', pathNot: pathOf(Object.keys(mayImport)) },
    },
    {
      name: 'the client stands alone',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(server|test|bench|scripts)/' },
    },
    {
      name: 'the client needs nothing of Node',
      severity: 'error',
      from: { path: '^client/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the server needs no client',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^client/' },
    },
    {
      name: 'a browser can import the rules: nothing of Node, of the database or of a package is below them',
      severity: 'error',
      from: { path: '^server/src/access/(may|rules|conditions|predicates|visibility|principal)\\.ts$' },
      to: { reachable: true, pathNot: '^server/src/(access/|lib/flags\\.ts|errors\\.ts)' },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no imports of what is not there',
      severity: 'error',
      // Its packages are installed when its tests run, which fail without one.
      from: { pathNot: '^test/generators/generate\\.js$' },
      to: { couldNotResolve: true },
    },
  ],
  required: [],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
