// `npm run sbom` prints the packages that Palaver needs, as CycloneDX. It reads only the lock file and needs neither the
// network nor an installation. `npm sbom --omit=dev` would leave out packages that development dependencies need as
// well, such as nodemailer.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));

const FOLDER = 'node_modules/';

/** Third-party packages that are not only for development, by their path in the lock file. */
const needed = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.includes(FOLDER) && !dev && !link,
);

const nameOf = (path) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

/** The package URL (purl) of a package. */
const purlOf = (path) => {
  const [scope, name] = nameOf(path).startsWith('@') ? nameOf(path).split('/') : [undefined, nameOf(path)];
  return `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${name}@${packages[path].version}`;
};

/** Resolves a dependency to its path in the lock file: the nearest one above the package, as in Node. */
function placeFrom(path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf(FOLDER) - 1, 0))) {
    const place = `${folder && `${folder}/`}${FOLDER}${name}`;
    if (packages[place]) return packages[place].link ? packages[place].resolved : place;
    if (folder === '') return undefined;
  }
}

/** The package URLs of all dependencies of a package or workspace. Workspaces are replaced by their dependencies. */
function dependenciesOf(path) {
  const { dependencies, optionalDependencies } = packages[path];
  const found = Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => placeFrom(path, name))
    .filter((place) => place !== undefined && !packages[place].dev);
  return found.flatMap((place) => (place.includes(FOLDER) ? [purlOf(place)] : dependenciesOf(place)));
}

const { name, version, license, workspaces } = packages[''];
const own = {
  type: 'application',
  'bom-ref': `${name}@${version}`,
  name,
  version,
  licenses: [licenseOf(license)],
};
const parts = ['', ...workspaces];

/** @returns an SPDX identifier, or an expression with several. */
function licenseOf(text) {
  return /[ (]/.test(text) ? { expression: text } : { license: { id: text } };
}

const components = needed.map(([path, { version, license, integrity, optional }]) => {
  const [algorithm, digest] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': purlOf(path),
    name: nameOf(path),
    version,
    scope: optional ? 'optional' : 'required',
    purl: purlOf(path),
    licenses: [licenseOf(license)],
    hashes: [
      { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') },
    ],
  };
});

const unique = (values) => [...new Set(values)].sort();
const once = new Map(components.map((component) => [component['bom-ref'], component]));
const edges = [
  { ref: own['bom-ref'], dependsOn: unique(parts.flatMap(dependenciesOf)) },
  ...needed.map(([path]) => ({ ref: purlOf(path), dependsOn: unique(dependenciesOf(path)) })),
];

console.log(
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: own },
      components: [...once.values()],
      dependencies: [...new Map(edges.map((edge) => [edge.ref, edge])).values()],
    },
    undefined,
    2,
  ),
);
