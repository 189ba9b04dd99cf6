import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// A self-signed certificate for this machine: X.509 (RFC 5280) in DER.

const tagged = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Uint8Array[]) => tagged(0x30, ...parts);
const octets = (part: Uint8Array) => tagged(0x04, part);
const bits = (part: Uint8Array) => tagged(0x03, Buffer.from([0]), part);
const isTrue = Buffer.from([0x01, 0x01, 0xff]);
const hex = (text: string) => Buffer.from(text, 'hex');
/** OIDs: 1.2.840.10045.4.3.2, 2.5.4.3, 2.5.29.17, 2.5.29.19 */
const [ecdsaWithSha256, commonName, alternativeName, basicConstraints] = [
  '06082a8648ce3d040302',
  '0603550403',
  '0603551d11',
  '0603551d13',
].map(hex) as [Buffer, Buffer, Buffer, Buffer];
const time = (at: number) =>
  tagged(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

/** A key and a certificate for `localhost` in PEM. The certificate is valid from yesterday for two days. */
export function certificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from('localhost of a test')))));
  const dayMs = 24 * 60 * 60_000;
  const extensions = sequence(
    sequence(basicConstraints, isTrue, octets(sequence(isTrue))),
    sequence(alternativeName, octets(sequence(tagged(0x82, Buffer.from('localhost'))))),
  );
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ecdsaWithSha256),
    name,
    sequence(time(Date.now() - dayMs), time(Date.now() + dayMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const der = sequence(body, sequence(ecdsaWithSha256), bits(sign('sha256', body, privateKey)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
