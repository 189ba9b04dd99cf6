import { Type } from '../../lib/schema.ts';
import { flag, oneOf, text } from '../../operations/fields.ts';

// The JSON options for `navigator.credentials` and its JSON responses (WebAuthn, level 3, 5.1.7 to 5.1.10).

const MAX_CREDENTIAL_CHARACTERS = 1_400;
/** Maximum characters of a field in a response. A signature has a few thousand bytes at most. */
const MAX_PART_CHARACTERS = 16_000;

const base64url = (max: number, description?: string, example = 'AAECAwQFBgcICQoLDA0ODw') =>
  Type.String({
    minLength: 1,
    maxLength: max,
    pattern: '^[A-Za-z0-9_-]+$',
    examples: [example],
    ...(description ? { description } : {}),
  });

const challenge = base64url(100, 'Valid once, for five minutes');
const timeout = Type.Integer({
  minimum: 0,
  maximum: 600_000,
  examples: [300_000],
  description: 'In milliseconds',
});
const transports = Type.Array(text({ max: 20, examples: ['internal'] }), { maxItems: 10 });
const publicKey = oneOf(['public-key']);
const descriptors = Type.Array(
  Type.Object({ type: publicKey, id: base64url(MAX_CREDENTIAL_CHARACTERS), transports }),
);
const required = oneOf(['required']);
const host = (description: string) => text({ max: 300, description, examples: ['chat.example.com'] });

/** The COSE algorithms Ed25519, ECDSA with P-256 and RSA (RFC 9053, 2.1 and 2.2; RFC 8812, 2). */
export const ALGORITHMS = [-8, -7, -257] as const;

export const creationOptions = Type.Object(
  {
    rp: Type.Object({
      id: host('The relying party ID: the host that the passkey will work for'),
      name: text({ max: 100, examples: ['Palaver'] }),
    }),
    user: Type.Object({
      id: base64url(100),
      name: text({ max: 100, examples: ['ada'] }),
      displayName: text({ max: 100, examples: ['Ada Lovelace'] }),
    }),
    challenge,
    pubKeyCredParams: Type.Array(
      Type.Object({
        type: publicKey,
        alg: Type.Integer({ minimum: -65_535, maximum: 0, examples: [ALGORITHMS[1]] }),
      }),
    ),
    timeout,
    excludeCredentials: descriptors,
    authenticatorSelection: Type.Object({
      residentKey: required,
      requireResidentKey: flag(undefined, true),
      userVerification: required,
    }),
    attestation: oneOf(['none']),
  },
  {
    $id: 'PasskeyCreationOptions',
    title: 'PasskeyCreationOptions',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`',
  },
);

export const requestOptions = Type.Object(
  {
    challenge,
    timeout,
    rpId: host('The relying party ID: the host that the passkeys are for'),
    allowCredentials: descriptors,
    userVerification: required,
  },
  {
    $id: 'PasskeyRequestOptions',
    title: 'PasskeyRequestOptions',
    description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`',
  },
);

const common = {
  id: base64url(MAX_CREDENTIAL_CHARACTERS),
  rawId: base64url(MAX_CREDENTIAL_CHARACTERS),
  type: publicKey,
};
const part = () => base64url(MAX_PART_CHARACTERS);

/** The response of `navigator.credentials.create`, from `toJSON()`. */
export const registration = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: part(),
      attestationObject: part(),
      transports: Type.Optional(transports),
    }),
  },
  { description: 'The response of `navigator.credentials.create`, from its `toJSON()`' },
);

/** The response of `navigator.credentials.get`, from `toJSON()`. */
export const assertion = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: part(),
      authenticatorData: part(),
      signature: part(),
      userHandle: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100 })),
    }),
  },
  { description: 'The response of `navigator.credentials.get`, from its `toJSON()`' },
);
