import type { Json } from '../support/world.ts';
import { kinds } from './stock.ts';

/** An operation of the OpenAPI document, as the fuzzer needs it. */
export interface Operation {
  id: string;
  method: string;
  /** The path as in the document: `/api/v1/messages/{id}`. */
  path: string;
  /** The kind of row that the path's identifier refers to. */
  kind: string;
  parameters: { name: string; in: string; required?: boolean; schema: Json }[];
  body: Json;
  /** The schemas of the declared responses by status. */
  answers: ReadonlyMap<number, Json>;
}

/** True for an operation that requires a session and accepts no key. */
export const isForPeople = ({ path }: Operation): boolean => path.startsWith('/api/people/');

const METHODS = ['get', 'post', 'patch', 'delete', 'put'];

/**
 * Every JSON operation of the API in a document, with its references resolved. `properties/hooks` covers
 * incoming webhooks, `files/` uploads and downloads.
 */
export function operationsOf(description: Json): Operation[] {
  const resolve = (value: Json): Json =>
    value?.$ref
      ? resolve(
          value.$ref
            .slice(2)
            .split('/')
            .reduce((at: Json, name: string) => at[name], description),
        )
      : value;
  const isJson = ({ requestBody, responses }: Json) =>
    [requestBody, responses[200]]
      .filter(Boolean)
      .every((part: Json) => 'application/json' in resolve(part).content);
  const paths = Object.entries<Json>(description.paths).filter(([path]) => path.startsWith('/api/'));
  return paths.flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] && isJson(item[method])).map((method) => {
      const { operationId, parameters = [], requestBody, responses } = item[method];
      return {
        id: operationId,
        method,
        path,
        kind: kindOf(path),
        parameters: [...(item.parameters ?? []), ...parameters].map(resolve),
        body: resolve(resolve(requestBody)?.content['application/json'].schema),
        answers: new Map(
          Object.entries<Json>(responses).map(([status, response]) => [
            Number(status),
            resolve(response).content['application/json'].schema,
          ]),
        ),
      };
    }),
  );
}

/** The kind of row in a path's collection: `/api/v1/app-installs/{id}` is about an app install. */
function kindOf(path: string): string {
  const collection = path.split('/')[3] ?? '';
  const name = collection
    .replace(/(ie)?s$/, (_, ie) => (ie ? 'y' : ''))
    .replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  return kindNamed(name) ?? 'message';
}

/** The kind of row that a field such as `channelId` or `roleIds` refers to. */
export function kindOfField(field: string, operation: Operation): string | undefined {
  if (field === 'id') return operation.kind;
  if (field === 'replyToId') return 'message';
  if (field === 'creatorId') return 'user';
  if (field === 'after') return 'event';
  return kindNamed(/^(\w+?)Ids?$/.exec(field)?.[1] ?? '');
}

const kindNamed = (name: string): string | undefined => kinds.find((kind) => kind === name);
