/** @module-tag long */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { publicKeyOf } from '../../src-main/bittensor/address.ts';
import { AuditLog } from '../../src-main/bittensor/signer-service/audit-log.ts';
import { SignerClient } from '../../src-main/bittensor/signer-service/signer-client.ts';
import { signaturesReady, verify } from '../../src-main/bittensor/sr25519.ts';
import { fund, slotOf } from '../support/desk-on-381.ts';
import { freePort } from '../support/free-port.ts';
import { writeKey } from '../support/local-wallets.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { encoded, RUNTIME_381 } from '../support/runtime-381.ts';
import { BLOCK_HASH, SILENCE } from '../support/scripted-chain.ts';
import { resultText } from '../support/signer.ts';
import { TakingChain } from '../support/taking-chain.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(async () => {
  const made = await temporaryFolder();
  folder = made.path;
  onTestFinished(() => made.remove());
});

const env = () => ({ BT_WALLET_PATH: join(folder, 'wallets'), QUARRY_DATA_DIR: join(folder, 'data') });
const inFolder = (file: string) => join(folder, 'data', file);
const tokenOf = async () => (await readFile(inFolder('signer.token'), 'utf8')).trim();
const hotkey = (password?: string) =>
  writeKey(join(folder, 'wallets'), { wallet: 'main', hotkey: 'hot', ...(password && { password }) });

/** Starts `quarry validator signer`, and waits until it listens. */
async function signer(args: string[] = [], password?: string) {
  const named = ['--wallet', 'main', '--hotkey', 'hot', '--listen', '127.0.0.1:0'];
  const process = new QuarryProcess(['validator', 'signer', ...named, ...args], env());
  if (password) process.child.stdin?.end(`${password}\n`);
  onTestFinished(() => process.stop('SIGKILL'));
  const [, address = '', url = ''] = await process.printed(/^Signing for (\S+) at (\S+)$/m);
  await process.printed(/signer audit/);
  const client = new SignerClient({ url, token: await tokenOf() });
  onTestFinished(() => client.close());
  return { process, address, url, client };
}

/** Kills what a process has started, which for a signer is the one that holds its key. */
async function killChildren({ child: { pid } }: QuarryProcess): Promise<void> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  expect(children).toHaveLength(1);
  for (const one of children) process.kill(Number(one), 'SIGKILL');
}

async function audit(...args: string[]) {
  const { child, stdout, stderr } = await quarry(['validator', 'signer', 'audit', ...args], env());
  return { code: child.exitCode, stdout, stderr };
}

/** A chain of runtime 381 on which the hotkey may validate on subnet 3. */
async function chainFor(address: string): Promise<TakingChain> {
  const node = await new TakingChain().open();
  onTestFinished(() => node.close());
  const item = (name: string, ...more: unknown[]) => slotOf('subtensorModule', name, 3, ...more);
  fund(node, address);
  node.storage.set(item('uids', address), encoded('u16', 0));
  node.storage.set(item('networksAdded'), '0x01');
  node.storage.set(item('commitRevealWeightsEnabled'), '0x00');
  node.storage.set(item('subnetworkN'), encoded('u16', 4));
  node.storage.set(item('minAllowedWeights'), encoded('u16', 1));
  node.storage.set(item('validatorPermit'), encoded('Vec<bool>', [true, false, false, false]));
  return node;
}

const WEIGHTS = { netuid: 3, uids: [1, 2], weights: [65_535, 21_845] };

describe('quarry validator signer', () => {
  it('signs results for who brings the token that lies in its folder, and ends when it is asked to', async () => {
    const address = await hotkey();
    const { process, client, url, ...told } = await signer(['--netuid', '3']);
    expect(told.address).toBe(address);
    expect((await stat(inFolder('signer.token'))).mode & 0o777).toBe(0o600);
    expect(await client.hotkey()).toBe(address);
    const text = resultText(address);
    const { signatures } = await client.sign([text]);
    await signaturesReady();
    expect(verify(Buffer.from(text), Buffer.from(signatures[0]!, 'hex'), publicKeyOf(address))).toBe(true);
    await expect(client.sign(['It is me.'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await fetch(`${url}/pubkey`)).status).toBe(401);

    await process.stop();
    expect(process.child.exitCode).toBe(0);
    const { code, stdout } = await audit();
    expect(code).toBe(0);
    const events = [...stdout.matchAll(/"event":"(\w+)"(?:[^\n]*?"outcome":"(\w+)")?/g)].map(([, event, outcome]) => [
      event,
      outcome,
    ]);
    expect(events).toEqual([
      ['start', undefined],
      ['sign', 'asked'],
      ['sign', 'done'],
      ['sign', 'refused'],
      ['refused', undefined],
      ['stop', undefined],
    ]);
    expect(stdout).toMatch(/✓ 6 lines/);
  });

  it('keeps its token over a restart, and one at a time has a folder', async () => {
    await hotkey();
    const { process } = await signer();
    const token = await tokenOf();
    const second = await quarry(
      ['validator', 'signer', '--wallet', 'main', '--hotkey', 'hot', '--listen', '127.0.0.1:0'],
      env(),
    );
    expect([second.child.exitCode, second.stderr]).toEqual([1, expect.stringMatching(/in use|--data/)]);
    await process.stop();
    await signer();
    expect(await tokenOf()).toBe(token);
  });

  it('opens a hotkey that has a password, which it is given at its start', async () => {
    const address = await hotkey('a long password');
    const args = ['validator', 'signer', '--wallet', 'main', '--hotkey', 'hot', '--listen', '127.0.0.1:0'];
    const wrong = new QuarryProcess(args, env());
    wrong.child.stdin?.end('another password\n');
    expect([await wrong.ended(), wrong.stderr]).toEqual([1, expect.stringContaining('password is wrong')]);
    const right = new QuarryProcess(args, env());
    onTestFinished(() => right.stop('SIGKILL'));
    right.child.stdin?.end('a long password\n');
    expect((await right.printed(/^Signing for (\S+)/m))[1]).toBe(address);
  });

  it.skipIf(process.platform !== 'linux')(
    'says by its health that the process of its hotkey has died, and starts it again where that takes no password',
    async () => {
      await hotkey();
      const plain = await signer();
      const health = async ({ url }: { url: string }) => {
        const answer = await fetch(`${url}/healthz`);
        return [answer.status, ((await answer.json()) as { error?: string }).error];
      };
      expect(await health(plain)).toEqual([200, undefined]);
      await killChildren(plain.process);
      await until(async () =>
        expect((await plain.client.sign([resultText(plain.address)])).signatures).toHaveLength(1),
      );
      await until(async () => expect(await health(plain)).toEqual([200, undefined]));
      await plain.process.stop();

      await rm(join(folder, 'wallets'), { recursive: true });
      await hotkey('a long password');
      const locked = await signer([], 'a long password');
      expect(await health(locked)).toEqual([200, undefined]);
      await killChildren(locked.process);
      const said = 'The process that holds the hotkey has ended. The hotkey has a password: ';
      await until(async () => expect(await health(locked)).toEqual([503, expect.stringContaining(said)]));
      await expect(locked.client.sign([resultText(locked.address)])).rejects.toMatchObject({
        ...{ code: 'NOT_RUNNING', message: expect.stringContaining(said) },
      });
      await locked.process.stop();
      expect(locked.process.child.exitCode).toBe(0);
      expect((await audit()).code).toBe(0);
    },
  );

  it.each([
    ['where others reach it', ['--listen', '0.0.0.0:8292'], /--allow-remote/],
    ['there without TLS, although it is allowed', ['--listen', '0.0.0.0:8292', '--allow-remote'], /TLS.*\n.*tunnel/],
    ['at no address', ['--listen', 'everywhere'], /An address and a port/],
    ['for a hotkey that is not there', ['--hotkey', 'none'], /no hotkey «none»/],
    ['for a subnet that cannot be', ['--netuid', '70000'], /whole number/],
  ])('does not begin %s', async (_, args, message) => {
    await hotkey();
    const named = ['--wallet', 'main', '--hotkey', 'hot', '--listen', '127.0.0.1:0'];
    const { child, stderr } = await quarry(['validator', 'signer', ...named, ...args], env());
    expect([child.exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it('says what has to be said, and that the port is taken', async () => {
    await hotkey();
    const unsaid = await quarry(['validator', 'signer'], env());
    expect([unsaid.child.exitCode, unsaid.stderr]).toEqual([1, expect.stringContaining('--wallet main')]);
    const { url } = await signer();
    const other = { ...env(), QUARRY_DATA_DIR: join(folder, 'other') };
    const taken = await quarry(
      ['validator', 'signer', '--wallet', 'main', '--hotkey', 'hot', '--listen', new URL(url).host],
      other,
    );
    expect([taken.child.exitCode, taken.stderr]).toEqual([1, expect.stringContaining('--listen')]);
  });

  it('tells that its log was changed', async () => {
    expect(await audit()).toMatchObject({ code: 0, stdout: expect.stringContaining('There is no audit log') });
    await hotkey();
    const { process } = await signer(['--netuid', '3']);
    await process.stop();
    const log = await readFile(inFolder('signer-audit.jsonl'), 'utf8');
    await writeFile(inFolder('signer-audit.jsonl'), log.replace('"netuids":[3]', '"netuids":[4]'));
    expect(await audit()).toMatchObject({ code: 1, stderr: expect.stringContaining('line 2') });
    const { stdout } = await audit('--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ lines: 2, files: 1, faulty: 1, faults: [{ file: 'signer-audit.jsonl', line: 2, fault: 'changed' }] },
    });
  });

  it('checks all files of its log, and tells which of them is missing', async () => {
    await mkdir(join(folder, 'data'));
    const log = new AuditLog(inFolder('signer-audit.jsonl'), { mostBytes: 400 });
    await log.open();
    for (const netuid of [1, 2, 3, 4, 5, 6]) await log.append({ event: 'sign', netuid });
    await log.close();
    const whole = await audit();
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/✓ \d+ lines in \d files/) });
    expect(whole.stdout).toMatch(/^signer-audit-000001\.jsonl:1 \{/m);
    await rm(inFolder('signer-audit-000002.jsonl'));
    const { code, stderr } = await audit();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/signer-audit-000002\.jsonl is missing: the last line there has the hash [0-9a-f]{64}/),
    ]);
  });
});

describe.skipIf(!RUNTIME_381)('its weights', () => {
  it('are set on the chain, and waited for until a block has them', async () => {
    const address = await hotkey();
    const node = await chainFor(address);
    const { client } = await signer(['--netuid', '3', '--endpoint', node.url]);
    await expect(client.send({ ...WEIGHTS, netuid: 4 }, { wait: true })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const setting = client.send(WEIGHTS, { wait: true });
    await until(() => expect(node.pool).toHaveLength(1));
    await expect(client.send(WEIGHTS, { wait: true })).rejects.toMatchObject({ code: 'CHAIN_REFUSED' });
    node.make([...node.pool]);
    expect(await setting).toMatchObject({ pending: false, block: 6, hash: expect.stringMatching(/^0x/) });
    const log = await readFile(inFolder('signer-audit.jsonl'), 'utf8');
    expect(log).toContain('"uids":[1,2],"weights":[65535,21845]');
  });

  it('that break a rule of the subnet are refused with it', async () => {
    const address = await hotkey();
    const node = await chainFor(address);
    node.storage.set(
      slotOf('subtensorModule', 'validatorPermit', 3),
      encoded('Vec<bool>', [false, false, false, false]),
    );
    const { client } = await signer(['--netuid', '3', '--endpoint', node.url]);
    await expect(client.send(WEIGHTS, { wait: true })).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', message: expect.stringContaining('may not validate yet') },
    });
    expect(node.pool).toEqual([]);
  });

  it('are told in its log also where it is killed while it hands them in; the next one knows that they are on their way', async () => {
    const address = await hotkey();
    const node = await chainFor(address);
    const { process, client } = await signer(['--netuid', '3', '--endpoint', node.url]);
    node.answers.author_submitExtrinsic = ([extrinsic]) => {
      node.pool.push(String(extrinsic));
      process.child.kill('SIGKILL');
      return SILENCE;
    };
    await expect(client.send(WEIGHTS, { wait: true })).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    const { code, stdout } = await audit();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/"outcome":"asked".*\n✓ 2 lines/)]);

    node.answers.author_submitExtrinsic = ([extrinsic]) => node.pool.push(String(extrinsic)) && BLOCK_HASH;
    const again = await signer(['--netuid', '3', '--endpoint', node.url]);
    await expect(again.client.send(WEIGHTS, { wait: true })).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', message: expect.stringContaining('on their way') },
    });
    node.make([...node.pool]);
    node.answers.author_submitExtrinsic = ([extrinsic]) => node.pool.push(String(extrinsic)) && BLOCK_HASH;
    await until(async () => expect(await again.client.send(WEIGHTS, { wait: false })).toMatchObject({ pending: true }));
    await again.process.stop();
    expect(await audit()).toMatchObject({ code: 0 });
  });
});

it('a signer that is away is told of, and where it should be', async () => {
  const client = new SignerClient({ url: `http://127.0.0.1:${await freePort()}`, token: 'x' });
  onTestFinished(() => client.close());
  await expect(client.send(WEIGHTS, { wait: true })).rejects.toMatchObject({
    ...{ code: 'NOT_RUNNING', hint: expect.stringContaining('tunnel') },
  });
});
