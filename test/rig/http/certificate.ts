import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { temporaryFolder } from '../run/temporary-folder.ts';

export interface Certificate {
  cert: string;
  key: string;
}

interface Authority extends Certificate {
  issue(host: string, state?: 'valid' | 'expired'): Certificate;
}

export function trust({ cert }: Certificate): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  return () => setDefaultCACertificates(before);
}

const openssl = (cwd: string, ...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'pipe' });
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];

export function createAuthority(): Authority {
  // Test files that share a process may trust several authorities, so each authority has its own name.
  const name = `Authority of tests ${randomBytes(8).toString('hex')}`;
  const files = ['-subj', `/CN=${name}`, '-addext', 'basicConstraints=critical,CA:TRUE', '-out', 'cert.pem'];
  const authority = made((cwd) => openssl(cwd, 'req', '-x509', '-days', '1', ...NEW_KEY, ...files));
  return {
    ...authority,
    issue: (host, state = 'valid') =>
      made((cwd) => {
        const name = `subjectAltName=${isIPv4(host) ? 'IP' : 'DNS'}:${host}`;
        openssl(cwd, 'req', '-new', ...NEW_KEY, '-subj', `/CN=${host}`, '-addext', name, '-out', 'request');
        writeFileSync(`${cwd}/authority.pem`, authority.cert + authority.key);
        const signer = ['-CA', 'authority.pem', '-CAkey', 'authority.pem', '-copy_extensions', 'copy'];
        const days = state === 'valid' ? '1' : '-1';
        openssl(cwd, 'x509', '-req', '-in', 'request', ...signer, '-days', days, '-out', 'cert.pem');
      }),
  };
}

function made(write: (cwd: string) => void): Certificate {
  const { path, remove } = temporaryFolder();
  try {
    write(path);
    return { cert: readFileSync(`${path}/cert.pem`, 'utf8'), key: readFileSync(`${path}/key.pem`, 'utf8') };
  } finally {
    remove();
  }
}
