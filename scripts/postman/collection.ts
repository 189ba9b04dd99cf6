import { type Call, type Described, type Item, itemOf, makes, type Operation } from './item.ts';
import { firstSteps, specials } from './plan.ts';

// Makes a Postman collection from the OpenAPI document. Its requests run from the first to the last on a server: ids come from earlier
// answers, by variables. A request that makes a channel sets `newChannelId`, which the requests of its folder change and delete. Those
// of the first folder set `channelId`, to which the others refer, and which stays.

/** The order of a folder: a thing is made before it is read and changed, and taken away last. */
const order = ['make', 'get', 'patch', 'post', 'delete'];

/** The collection (Postman Collection Format v2.1) of a document. Throws an Error if a request would need a variable that none sets. */
export function collectionOf(document: object): object {
  const described = document as Described;
  // Requests for people take the cookie of a browser, and no key.
  const paths = Object.entries(described.paths).filter(
    ([path]) => !path.startsWith('/api/people/') && !path.startsWith('/oauth/'),
  );
  const calls = paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => callsOf(path, method, operation)),
  );
  const made = new Set(calls.filter(makes).map(({ operation }) => operation.tags[0] as string));
  const nouns = [...described.tags.map(({ name }) => name), 'answered message'];
  const maker = { described, made, nouns };
  const first = firstSteps.map((name) => {
    const call = calls.find((each) => nameOf(each) === name);
    if (!call) throw new Error(`there is no request ${name}`);
    return itemOf(call, { ...maker, isFirst: true });
  });
  const tags = described.tags.filter(({ name }) => calls.some(({ operation }) => operation.tags[0] === name));
  const folders = tags.map(({ name, description, 'x-displayName': title }) => ({
    name: title,
    description,
    item: calls
      .filter(({ operation }) => operation.tags[0] === name)
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map((call) => itemOf(call, { ...maker, isFirst: false })),
  }));
  const item = [
    { name: 'Start here', description: 'Run these first: the others use what they make.', item: first },
    ...folders,
  ];
  requireVariables(item.flatMap((folder) => folder.item));
  return {
    info: {
      name: 'Palaver',
      description: `Set \`baseUrl\` and \`key\` in the variables of the collection. Run the folder "Start here", then any request; or all of them, from the first to the last.\n\n${described.info.description}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: described.servers[0]?.url },
      { key: 'key', value: '' },
    ],
    item,
  };
}

const placeOf = (call: Call): number =>
  call.special.isLast ? order.length : order.indexOf(makes(call) ? 'make' : call.method);

/** One call for each example of the body. */
function callsOf(path: string, method: string, operation: Operation): Call[] {
  const { example, examples } = operation.requestBody?.content['application/json'] ?? {};
  const bodies: [string | undefined, object | undefined][] = examples
    ? Object.entries(examples).map(([name, { value }]) => [name, value])
    : [[undefined, example]];
  return bodies.map(([name, body]) => {
    const call = { path, method, operation, example: name, body };
    return { ...call, special: specials[nameOf(call)] ?? specials[operation.operationId] ?? {} };
  });
}

const nameOf = ({ operation, example }: Pick<Call, 'operation' | 'example'>): string =>
  example === undefined ? operation.operationId : `${operation.operationId} ${example}`;

/** Throws an Error if a request needs a variable that none before it sets. */
function requireVariables(items: readonly Item[]): void {
  const known = new Set(['baseUrl', 'key']);
  for (const { name, request, event } of items) {
    for (const [, variable] of JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g))
      if (!known.has(variable as string))
        throw new Error(`"${name}" needs {{${variable}}}, which nothing sets`);
    for (const [, variable] of JSON.stringify(event).matchAll(/variables\.set\('(\w+)'/gi))
      known.add(variable as string);
  }
}
