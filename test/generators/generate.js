import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { build, memoryStorage } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generateZodClientFromOpenAPI } from 'openapi-zod-client';
import { generate } from 'orval';

// This file is plain JavaScript, so the checkout's compiler needs none of these packages, which only
// these tests install.

/**
 * Client generators by name. Each generates its client in `folder`, from a document that is also in the
 * file `input`.
 */
export const generators = {
  async openapiTypescript(document, _input, folder) {
    write(join(folder, 'schema.ts'), astToString(await openapiTS(document)));
  },

  async heyApi(_document, input, folder) {
    await createClient({ input, output: { path: folder }, logs: { level: 'silent' } });
  },

  async orval(_document, input, folder) {
    const baseUrl = { getBaseUrlFromSpecification: true };
    await generate({ input, output: { target: join(folder, 'client.ts'), client: 'fetch', baseUrl } });
  },

  async kubb(_document, input, folder) {
    const plugins = [
      pluginOas({ validate: false, serverIndex: 0 }),
      pluginTs(),
      pluginClient({ client: 'fetch', dataReturnType: 'full', bundle: true }),
    ];
    // The generator's default storage would write a second copy into the tests' working directory.
    const output = { path: basename(folder), storage: memoryStorage() };
    const { error } = await build({
      config: { root: dirname(folder), input: { path: input }, output, plugins },
    });
    if (error) throw error;
  },

  async zod(document, _input, folder) {
    mkdirSync(folder, { recursive: true });
    await generateZodClientFromOpenAPI({
      openApiDoc: document,
      distPath: join(folder, 'client.ts'),
      options: { withAlias: true, shouldExportAllSchemas: true },
    });
  },
};

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
