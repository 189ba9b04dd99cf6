import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from '../support/world.ts';
import type { Operation } from './operations.ts';
import type { Asked } from './requests.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const BASE = 'https://palaver.example/openapi.json';

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Validates responses against the OpenAPI document. */
export class AnswerCheck {
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { uuid: UUID, int64: true, uri: (text: string) => URL.canParse(text), 'date-time': true },
  });
  readonly #compiled = new Map<Json, ValidateFunction>();
  readonly #refusal: Json;

  constructor(description: Json) {
    this.#ajv.addSchema({ ...description, $id: BASE }, BASE, undefined, false);
    this.#refusal = description.components.schemas.Error;
  }

  /** True for the HTML page that the client shows browsers for an unknown address. */
  isPage({ method, target, headers }: Asked, { status, headers: answered }: Reply): boolean {
    const isElsewhere = method === 'GET' && !/^\/+api(\/|\?|$)/i.test(target);
    return (
      isElsewhere &&
      status === 404 &&
      headers.accept === 'text/html' &&
      answered['content-type'] === 'text/html; charset=utf-8'
    );
  }

  /** Throws if a response has a 5xx status or no request id, is not JSON, or is not declared. */
  holds(operation: Operation | undefined, { status, headers, text }: Reply): Json {
    assert.ok(status < 500, `returned ${status}`);
    assert.match(String(headers['content-type']), /^application\/json/);
    const id = headers['x-request-id'];
    assert.ok(typeof id === 'string' && id.length > 0, 'has no X-Request-Id');
    const body = JSON.parse(text);
    if (!body.ok) assert.equal(body.error.requestId, id);
    const schema = operation ? operation.answers.get(status) : this.#refusal;
    assert.ok(schema, `${status} is not declared`);
    const validate = this.#compile(schema);
    assert.ok(validate(body), this.#ajv.errorsText(validate.errors));
    return body;
  }

  #compile(schema: Json): ValidateFunction {
    let validate = this.#compiled.get(schema);
    if (!validate) {
      // References in a schema are relative to the document.
      const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${BASE}#/`);
      validate = this.#ajv.compile(JSON.parse(text));
      this.#compiled.set(schema, validate);
    }
    return validate;
  }
}
