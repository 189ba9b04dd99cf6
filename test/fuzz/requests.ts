import type { Random } from '../support/seeded.ts';
import type { Json } from '../support/world.ts';
import { isForPeople, kindOfField, type Operation } from './operations.ts';
import type { Stock } from './stock.ts';
import { nested, oddBodies, oddTexts, oddValue } from './values.ts';

/** The share of valid requests, which keep creating rows for the other requests. */
const VALID_SHARE = 0.3;

export interface Asked {
  method: string;
  /** Path and query as sent. */
  target: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Generates random requests for an operation: some valid, most slightly wrong, a few completely wrong. */
export class Requests {
  readonly #random: Random;
  readonly #stock: Stock;
  /** Cursors from lists. */
  readonly cursors: string[] = ['none'];
  #count = 0;
  /** True while a valid request is generated. */
  #isTame = false;

  constructor(random: Random, stock: Stock) {
    this.#random = random;
    this.#stock = stock;
  }

  /** A request for the operation. */
  of(operation: Operation): Asked {
    this.#count++;
    this.#isTame = this.#random.chance(VALID_SHARE);
    const body = operation.method === 'get' ? undefined : this.#body(operation);
    return {
      method: operation.method.toUpperCase(),
      target: this.#path(operation) + this.#query(operation),
      headers: {
        ...this.#headers(body !== undefined),
        ...(isForPeople(operation) && this.#random.pick(this.#stock.browsers)),
      },
      body,
    };
  }

  /** A request with an unknown path or method. */
  astray(operations: readonly Operation[]): Asked {
    const random = this.#random;
    this.#isTame = false;
    const { path } = random.pick(operations);
    const method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);
    const target = random.pick([
      `${path}/more`,
      `${path}x`,
      `/${path}`,
      path.toUpperCase(),
      '/api/v1',
      '/api/v2/servers',
      '/%zz',
      '/api/v1/servers/%c3%28',
    ]);
    return { method, target: encodeTarget(target), headers: this.#headers(false), body: undefined };
  }

  #path(operation: Operation): string {
    return operation.path.replace(/\{(\w+)\}/g, (_, name) => {
      const id = this.#id(kindOfField(name, operation) ?? operation.kind);
      return this.#odd(0.02) ? encodeTarget(id) : encodeURIComponent(id);
    });
  }

  #id(kind: string): string {
    return this.#isTame ? this.#stock.liveId(kind, this.#random) : this.#stock.id(kind, this.#random);
  }

  /** True with this probability, but never in a valid request. */
  #odd(chance: number): boolean {
    return !this.#isTame && this.#random.chance(chance);
  }

  #query({ parameters }: Operation): string {
    const random = this.#random;
    const pairs: string[] = [];
    for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query')) {
      if (!random.chance(0.35) || (this.#isTame && name === 'cursor')) continue;
      pairs.push(`${name}=${encode(this.#queryValue(name, schema))}`);
      if (this.#odd(0.05)) pairs.push(`${name}=${encode(random.pick(oddTexts))}`);
    }
    if (this.#odd(0.06))
      pairs.push(
        random.pick([
          '__proto__=1',
          'constructor=1',
          'a[]=1&a[]=2',
          'limit[]=5',
          '=',
          '&&',
          'x=%00',
          'q=%zz',
          'cursor=%ff',
          'limit=%',
          '%ed%a0%80=1',
        ]),
      );
    return pairs.length > 0 ? `?${pairs.join('&')}` : '';
  }

  #queryValue(name: string, schema: Json): string {
    const random = this.#random;
    if (this.#odd(0.2)) return String(random.pick(oddTexts)).slice(0, 3_000);
    if (name === 'cursor') return this.#cursor();
    if (schema.enum) return random.pick(schema.enum);
    if (schema.type === 'boolean') return random.pick(['true', 'false']);
    if (schema.type === 'integer') return String(this.#integer(schema));
    if (name.endsWith('Id')) return this.#id('user');
    if (name === 'after') return this.#id('event');
    return random.pick(['message', 'for all', '"for all"', 'mess', 'nothing at all']);
  }

  #cursor(): string {
    const cursor = this.#random.pick(this.cursors);
    if (this.#random.chance(0.6)) return cursor;
    const at = this.#random.below(cursor.length);
    return this.#random.pick([
      cursor.slice(0, at),
      `${cursor}A`,
      `${cursor.slice(0, at)}x${cursor.slice(at + 1)}`,
      'A'.repeat(2_049),
    ]);
  }

  #headers(hasBody: boolean): Record<string, string> {
    const random = this.#random;
    const { keys } = this.#stock;
    const key = random.pick(this.#isTame ? keys.slice(0, 2) : keys);
    const headers: Record<string, string> = {
      authorization: !this.#odd(0.05)
        ? `Bearer ${key}`
        : random.pick([
            '',
            'Bearer',
            'Bearer ',
            `Basic ${key}`,
            `bearer ${key}`,
            `Bearer ${key}x`,
            `Bearer ${key} x`,
            `Bearer sk_live_${'x'.repeat(5_000)}`,
            'Bearer \xff\xfe',
            key,
          ]),
    };
    if (hasBody || this.#odd(0.05))
      headers['content-type'] = !this.#odd(0.05)
        ? 'application/json'
        : random.pick([
            '',
            'text/plain',
            'application/json; charset=utf-16',
            'application/JSON;charset=UTF-8',
            'application/problem+json',
            'multipart/form-data',
            'application/json;',
            '/',
            'a/b/c',
            '\xff',
            'application/json, text/html',
          ]);
    if (this.#odd(0.15))
      headers['idempotency-key'] = random.pick([
        `key-${random.below(40)}`,
        `"key-${random.below(40)}"`,
        '',
        '""',
        'x'.repeat(255),
        'x'.repeat(256),
        '\xe4\xf6',
        '__proto__',
        '"half',
      ]);
    if (this.#odd(0.05))
      headers['x-request-id'] = random.pick(['', 'mine', 'two words', 'x'.repeat(65), '\xff']);
    if (random.chance(0.02)) headers.accept = 'text/html';
    if (random.chance(0.01)) headers['content-encoding'] = 'gzip';
    if (random.chance(0.01)) headers.expect = 'a-miracle';
    if (hasBody && this.#odd(0.03)) headers['transfer-encoding'] = 'chunked';
    return headers;
  }

  #body(operation: Operation): Asked['body'] {
    const random = this.#random;
    if (this.#odd(0.05)) return random.pick(oddBodies);
    if (!operation.body)
      return this.#isTame
        ? undefined
        : random.pick([undefined, undefined, '', '{}', '{"id":1}', '{"id":"none"}']);
    const fields: [string, unknown][] = [];
    for (const [name, schema] of Object.entries<Json>(operation.body.properties ?? {})) {
      const isRequired = operation.body.required?.includes(name);
      // An id in the body must match the path, so others are mostly left out.
      if (name === 'id' && !isRequired && random.chance(0.9)) continue;
      if (random.chance(isRequired ? (this.#isTame ? 1 : 0.97) : 0.3))
        fields.push([name, this.#value(name, schema, operation)]);
    }
    if (this.#odd(0.15)) this.#spoil(fields);
    return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  }

  /** Adds, drops or replaces a field. */
  #spoil(fields: [string, unknown][]): void {
    const random = this.#random;
    const at = random.below(fields.length);
    const way = random.below(4);
    if (way === 0)
      fields.push([
        random.pick([
          '__proto__',
          'constructor',
          'toString',
          'contnet',
          '',
          'ä\u202e',
          'creatorId',
          'deleted',
        ]),
        oddValue(random),
      ]);
    else if (way === 1) fields.splice(at, 1);
    else if (fields[at])
      fields[at] = [
        fields[at][0],
        way === 2
          ? oddValue(random)
          : JSON.parse(nested(random.pick([5, 30, 31, 32, 60]), random.pick(['list', 'object']))),
      ];
  }

  /** A value that the schema mostly allows. */
  #value(name: string, schema: Json, operation: Operation): unknown {
    const random = this.#random;
    if (this.#odd(0.04)) return oddValue(random);
    const type = random.pick([schema.type ?? 'any'].flat());
    const kind = kindOfField(name, operation);
    if (type === 'null') return null;
    if (schema.enum) return random.pick(schema.enum);
    if (kind && type === 'array') return Array.from({ length: random.below(3) }, () => this.#id(kind));
    if (kind && type === 'string') return this.#id(kind);
    if (type === 'string') return this.#text(schema);
    if (type === 'integer' || type === 'number') return this.#integer(schema);
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'array') return random.pick([[], ['a'], ['a', 'b', '🙂']]);
    if (type === 'object') return random.pick([{}, { a: 1 }, { deep: { er: [1, null] } }]);
    return oddValue(random);
  }

  #text({ maxLength = 100, format }: Json): string {
    const random = this.#random;
    if (format === 'uri' && this.#isTame) return 'https://example.com/a.png';
    if (format === 'uri')
      return random.pick([
        'https://example.com/a.png',
        'http://example.com',
        'HTTPS://EXAMPLE.COM/?q=ä',
        `https://example.com/${'x'.repeat(2_028)}`,
      ]);
    if (this.#odd(0.2)) return random.pick(oddTexts);
    if (this.#odd(0.1))
      return random.pick([
        'x'.repeat(maxLength),
        'x'.repeat(maxLength + 1),
        '🙂'.repeat(Math.min(maxLength, 4_000)),
      ]);
    return `text ${this.#count}`;
  }

  #integer({ minimum = 0, maximum = 1_000 }: Json): number {
    const random = this.#random;
    if (this.#isTame) return maximum > 1e12 ? Date.now() + 60_000 : minimum + random.below(50);
    return random.pick([
      minimum,
      maximum,
      minimum - 1,
      maximum + 1,
      minimum + random.below(50),
      minimum + random.below(50),
      Date.now() + 60_000,
    ]);
  }
}

/** Percent-encodes a query value. An unpaired surrogate becomes the bytes of U+D800. */
const encode = (text: string): string =>
  [...text].map((letter) => (letter.isWellFormed() ? encodeURIComponent(letter) : '%ed%a0%80')).join('');

/** Encodes only the characters of a path that cannot be sent, and decodes nothing. */
const encodeTarget = (text: string): string => text.replace(/[^\x21-\x7e]/gu, (letter) => encode(letter));
