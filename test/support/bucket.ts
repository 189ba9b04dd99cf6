import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataConfig } from './sources.ts';

interface Service {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

// The package has no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Service;

const BUCKET = 'palaver-files';

/** A local service that speaks the S3 protocol. It knows one access key, and accepts any secret for it. */
export class Bucket {
  readonly settings: Pick<DataConfig, 'files' | 'filesKey' | 'filesRegion'>;
  readonly #folder: string;
  readonly #port: number;
  #service: Service | undefined;

  private constructor(folder: string, port: number, service: Service) {
    this.#folder = folder;
    this.#port = port;
    this.#service = service;
    this.settings = {
      files: `http://127.0.0.1:${port}/${BUCKET}/some/path`,
      filesKey: 'S3RVER:S3RVER',
      filesRegion: 'us-east-1',
    };
  }

  static async open(): Promise<Bucket> {
    const folder = mkdtempSync(join(tmpdir(), 'palaver-bucket-'));
    const service = serviceOn(folder, await freePort());
    const { port } = await service.run();
    return new Bucket(folder, port, service);
  }

  /** Stops the service. */
  async down(): Promise<void> {
    await this.#service?.close();
    this.#service = undefined;
  }

  /** Restarts the service, with all its objects. */
  async up(): Promise<void> {
    this.#service = serviceOn(this.#folder, this.#port);
    await this.#service.run();
  }

  async close(): Promise<void> {
    await this.down();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const serviceOn = (directory: string, port: number): Service =>
  new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: BUCKET }] });

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
