import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import type { Json } from './world.ts';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes CBOR (RFC 8949) as authenticators use it: integers, text, bytes, maps. */
function cbor(value: Cbor): Buffer {
  const head = (type: number, length: number): Buffer =>
    length < 24
      ? Buffer.from([(type << 5) | length])
      : length < 256
        ? Buffer.from([(type << 5) | 24, length])
        : Buffer.from([(type << 5) | 25, length >> 8, length & 0xff]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([name, one]) => [cbor(name), cbor(one)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

/** The ways in which a response can differ from a valid one. */
export interface Deviation {
  /** The origin of the page. */
  origin?: string;
  /** The host that the authenticator signs for. */
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  /** False if the person was not verified. */
  verified?: boolean;
  /** False if the person was not present. */
  present?: boolean;
  backupEligible?: boolean;
  backedUp?: boolean;
  counter?: number;
  userHandle?: string | null;
  /** The id of the credential that the response claims to be from. */
  id?: string;
  /** The format and statement of an attestation; `self` for an attestation by the key itself. */
  attestation?: 'self' | [format: string, statement: Map<string, Cbor>];
}

/** A software passkey for a browser at `origin`. Its responses can be made invalid. */
export class Authenticator {
  readonly origin: string;
  readonly id = text(randomBytes(16));
  counter = 0;
  backedUp = false;
  #userHandle = '';
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  readonly #counts: boolean;

  /** @param counts False for an authenticator that always reports 0, as most synced passkeys do. */
  constructor(origin: string, { counts = true, backedUp = false } = {}) {
    this.origin = origin;
    this.#counts = counts;
    this.backedUp = backedUp;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE: EC2, ES256, P-256 (RFC 9053, 7.1.1).
    this.#publicKey = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? this.origin,
        crossOrigin: deviation.crossOrigin ?? false,
      }),
    );
  }

  /** Authenticator data (WebAuthn, 6.1). */
  #data(rpId: string, deviation: Deviation, attested = Buffer.alloc(0)): Buffer {
    if (this.#counts) this.counter++;
    const { verified = true, present = true, backedUp = this.backedUp } = deviation;
    const eligible = deviation.backupEligible ?? this.backedUp;
    const flags =
      (present ? 1 : 0) |
      (verified ? 4 : 0) |
      (eligible ? 8 : 0) |
      (backedUp ? 16 : 0) |
      (attested.length > 0 ? 64 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? this.counter);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), Buffer.from([flags]), counter, attested]);
  }

  #sign(data: Buffer, clientData: Buffer): Buffer {
    return sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#key);
  }

  /** Responds to registration options, as `toJSON()` does. */
  create(options: Json, deviation: Deviation = {}): Json {
    this.#userHandle = options.user.id;
    const id = Buffer.from(deviation.id ?? this.id, 'base64url');
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 0xff]),
      id,
      this.#publicKey,
    ]);
    const clientData = this.#clientData('webauthn.create', options.challenge, deviation);
    const data = this.#data(options.rp.id, deviation, attested);
    const { attestation = ['none', new Map<string, Cbor>()] } = deviation;
    const [format, statement] =
      attestation === 'self'
        ? ([
            'packed',
            new Map<string, Cbor>([
              ['alg', -7],
              ['sig', this.#sign(data, clientData)],
            ]),
          ] as const)
        : attestation;
    const object = new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', data],
    ]);
    return {
      id: text(id),
      rawId: text(id),
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: text(clientData),
        attestationObject: text(cbor(object)),
        transports: ['internal'],
      },
    };
  }

  /** Responds to sign-in options, as `toJSON()` does. */
  get(options: Json, deviation: Deviation = {}): Json {
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation);
    const data = this.#data(options.rpId, deviation);
    const id = deviation.id ?? this.id;
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(data),
        signature: text(this.#sign(data, clientData)),
        userHandle: deviation.userHandle === undefined ? this.#userHandle : deviation.userHandle,
      },
    };
  }
}
