import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** A certificate with its key, in the form of node:tls. */
export interface Certificate {
  cert: string;
  key: string;
}

interface Validity {
  from: Date;
  to: Date;
}

interface Authority extends Certificate {
  /** A certificate for a name or an IPv4 address. */
  issue(host: string, validity?: Validity): Certificate;
}

const DAY_MS = 86_400_000;
const aroundNow = (): Validity => ({
  from: new Date(Date.now() - DAY_MS),
  to: new Date(Date.now() + DAY_MS),
});

export const expired = (): Validity => ({
  from: new Date(Date.now() - 2 * DAY_MS),
  to: new Date(Date.now() - DAY_MS),
});

/** Trusts an authority, until the returned function is called. */
export function trust({ cert }: Certificate): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  return () => setDefaultCACertificates(before);
}

/** A new authority for certificates of tests. No program trusts it by itself. */
export function createAuthority(): Authority {
  // Files that share a process can trust several, which are looked up by name.
  const name = `Authority of tests ${randomBytes(8).toString('hex')}`;
  const { privateKey, publicKey } = newKeys();
  const signed = (subject: string, key: KeyObject, extensions: Buffer[], validity: Validity) =>
    certify({ issuer: name, subject, key, extensions, validity }, privateKey);
  const authority = [extension([0x55, 0x1d, 0x13], sequence(Buffer.of(0x01, 0x01, 0xff)))];
  return {
    cert: signed(name, publicKey, authority, aroundNow()),
    key: pem(privateKey),
    issue: (host, validity = aroundNow()) => {
      const keys = newKeys();
      const alternativeName = isIPv4(host)
        ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
        : tagged(0x82, Buffer.from(host));
      const extensions = [extension([0x55, 0x1d, 0x11], sequence(alternativeName))];
      return { cert: signed(host, keys.publicKey, extensions, validity), key: pem(keys.privateKey) };
    },
  };
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Contents {
  issuer: string;
  subject: string;
  key: KeyObject;
  extensions: Buffer[];
  validity: Validity;
}

/** Source: RFC 5280, section 4.1. */
function certify({ issuer, subject, key, extensions, validity }: Contents, signer: KeyObject): string {
  const ecdsaWithSha256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const contents = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(timeOf(validity.from), timeOf(validity.to)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = createSign('sha256').update(contents).sign(signer);
  const der = sequence(contents, ecdsaWithSha256, tagged(0x03, Buffer.of(0), signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A value of DER: tag, length, contents. */
function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const value = Buffer.concat(contents);
  const { length } = value;
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), value]);
}

const sequence = (...contents: Buffer[]) => tagged(0x30, ...contents);
const objectId = (bytes: number[]) => tagged(0x06, Buffer.from(bytes));
const extension = (id: number[], value: Buffer) => sequence(objectId(id), tagged(0x04, value));
const nameOf = (name: string) =>
  sequence(tagged(0x31, sequence(objectId([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from(name)))));
const timeOf = (date: Date) =>
  tagged(0x17, Buffer.from(`${date.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`));
