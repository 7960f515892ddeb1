import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { pino } from 'pino';
import { Agent, fetch, type RequestInit } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import { TlsFiles, type TlsPaths } from '../../../src-main/http/tls-files.ts';
import { openServer } from '../../support/server-harness.ts';
import { openPage, refusal, rpcClient, smallContract } from '../../support/socket-harness.ts';
import { canMakeCertificates, makeCertificate } from '../http/certificates.ts';

if (!canMakeCertificates) process.stderr.write('SKIPPED: the tests of TLS, for there is no openssl here.\n');

const TOKEN = 'a token of some length';
const log = pino({ level: 'silent' });

let folder: string;
let pair: TlsPaths;
let other: TlsPaths;

beforeAll(async () => {
  if (!canMakeCertificates) return;
  folder = await mkdtemp(join(tmpdir(), 'quarry-tls-'));
  pair = makeCertificate(folder, 'first');
  other = makeCertificate(folder, 'second');
});

afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The name in the certificate that a server shows. */
async function shownBy(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const name = socket.getPeerCertificate().subject.CN;
  socket.destroy();
  return String(name);
}

/** A request by somebody who trusts the first certificate. */
async function ask(url: string, init: RequestInit = {}) {
  const dispatcher = new Agent({ connect: { ca: await readFile(pair.cert) } });
  const response = await fetch(url, { ...init, dispatcher });
  await response.text();
  await dispatcher.close();
  return response;
}

describe.skipIf(!canMakeCertificates)('a server with a certificate', () => {
  it('speaks HTTPS, to those who trust the certificate', async () => {
    const { url } = await openServer({ tls: pair });
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(`${url}/v1/models`)).status).toBe(200);
    await expect(fetch(`${url}/v1/models`)).rejects.toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  });

  it('carries the contract’s WebSocket for a page that has logged in', async () => {
    const contract = smallContract();
    const { url } = await openServer({ tls: pair, token: TOKEN, contract: contract.router });
    const body = JSON.stringify({ token: TOKEN });
    const headers = { 'content-type': 'application/json', origin: url };
    const login = await ask(`${url}/session`, { method: 'POST', headers, body });
    const [set = ''] = login.headers.getSetCookie();
    expect(set).toMatch(/^__Host-quarry_session=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const trust = { ca: await readFile(pair.cert) };
    expect(await refusal(url, { ...trust, headers: {} })).toBe(401);
    const socket = await openPage(url, { ...trust, headers: { cookie: String(set.split(';')[0]) } });
    expect(await rpcClient(socket).echo({ text: 'in' })).toBe('in');
  });

  it.each([
    ['0.0.0.0', 'max-age=2592000'],
    ['127.0.0.1', null],
  ])('asks browsers to stay with TLS, but not for all of localhost: %s', async (host, expected) => {
    const { url } = await openServer({ tls: pair, host, token: TOKEN });
    expect((await ask(`${url}/healthz`)).headers.get('strict-transport-security')).toBe(expected);
  });

  it('closes although somebody connected and said nothing', async () => {
    const { url, server } = await openServer({ tls: pair });
    const socket = connectPlain(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const gone = once(socket.resume(), 'close');
    socket.on('error', ignoring('that it is cut off is what is wanted'));
    await server.close();
    await gone;
  });
});

describe.skipIf(!canMakeCertificates)('certificate files', () => {
  it.each([
    [
      'no certificate',
      () => ({ cert: join(folder, 'none.crt'), key: pair.key }),
      'tlsCert',
      /none\.crt cannot be read \(ENOENT\)/,
    ],
    [
      'no key',
      () => ({ cert: pair.cert, key: join(folder, 'none.key') }),
      'tlsKey',
      /none\.key cannot be read \(ENOENT\)/,
    ],
    [
      'the key of another one',
      () => ({ cert: pair.cert, key: other.key }),
      'tlsKey',
      /does not belong to the certificate/,
    ],
    ['a key as certificate', () => ({ cert: pair.key, key: pair.key }), 'tlsCert', /is no certificate/],
    ['a certificate as key', () => ({ cert: pair.cert, key: pair.cert }), 'tlsKey', /is no private key/],
    [
      'a key with a passphrase',
      () => makeCertificate(folder, 'locked', 'secret'),
      'tlsKey',
      /is no private key .* can be read/,
    ],
  ])('are refused when the server opens: %s', async (_, paths, field, message) => {
    await expect(openServer({ tls: paths() })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      field,
      message: expect.stringMatching(message),
    });
  });

  /** A server that shows a copy of the first certificate, and what renews that copy. */
  async function renewable() {
    const paths = { cert: join(folder, 'used.crt'), key: join(folder, 'used.key') };
    const replace = async (by: Partial<TlsPaths>, at: number) => {
      for (const each of ['cert', 'key'] as const) {
        if (by[each]) await copyFile(by[each], paths[each]);
        await utimes(paths[each], at, at);
      }
    };
    await replace(pair, 1_000);
    const files = new TlsFiles(paths, log);
    const server = createServer(await files.read());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { paths, replace, files, server, port, [Symbol.asyncDispose]: async () => void server.close() };
  }

  it('are taken over when they are renewed, without a restart', async () => {
    await using used = await renewable();
    expect(await shownBy(used.port)).toBe('first');
    await used.files.refresh(used.server);
    await used.replace(other, 2_000);
    expect(await shownBy(used.port)).toBe('first');
    await used.files.refresh(used.server);
    expect(await shownBy(used.port)).toBe('second');
  });

  it('stay in use when the new ones do not fit, and are taken once they do', async () => {
    await using used = await renewable();
    await used.replace({ cert: other.cert }, 2_000);
    await used.files.refresh(used.server);
    await writeFile(used.paths.key, 'rubbish');
    await used.files.refresh(used.server);
    await rm(used.paths.key);
    await used.files.refresh(used.server);
    expect(await shownBy(used.port)).toBe('first');
    await used.replace(other, 3_000);
    await used.files.refresh(used.server);
    expect(await shownBy(used.port)).toBe('second');
  });
});
