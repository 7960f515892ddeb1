import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TlsPaths } from '../../../src-main/http/tls-files.ts';

/** Whether certificates can be made here. */
export const canMakeCertificates = spawnSync('openssl', ['version']).status === 0;

/** Makes a certificate for localhost that is signed with its own key. */
export function makeCertificate(folder: string, name: string, passphrase?: string): TlsPaths {
  const paths = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-keyout', paths.key, '-out', paths.cert],
    ...(passphrase === undefined ? ['-nodes'] : ['-passout', `pass:${passphrase}`]),
  ]);
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
  return paths;
}
