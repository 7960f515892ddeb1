import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { raoOf } from '../../src-preload/contract/rao.ts';
import { LocalSubtensor, NETUID, SPEC } from '../support/local-subtensor.ts';
import { writeKey } from '../support/local-wallets.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const PASSWORD = 'a long enough password';
const RATE_LIMIT = 5;

describe.skipIf(!SPEC)('quarry chain, on a real subtensor', () => {
  let node: LocalSubtensor;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let running: QuarryProcess;
  let rich: string;
  let payee: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const wallets = join(folder.path, 'wallets');
    rich = await writeKey(wallets, { wallet: 'rich', password: PASSWORD });
    await writeKey(wallets, { wallet: 'rich', hotkey: 'default' });
    payee = await writeKey(wallets, { wallet: 'payee' });
    node = await LocalSubtensor.start();
    await node.fund(rich, raoOf('100'));
    await node.store('u64', RATE_LIMIT, 'subtensorModule', 'weightsSetRateLimit', NETUID);
    await node.blocks(1);
    running = start(['start', '--headless', '--role', 'client', '--port', '0']);
    await running.printed(/http/);
  }, 600_000);

  afterAll(async () => {
    if (running?.running) await running.stop();
    await node?.close();
    await folder?.remove();
  });

  function start(args: string[], input?: string): QuarryProcess {
    const process = new QuarryProcess([...args, '--data', join(folder.path, 'node')], {
      ...{ BT_WALLET_PATH: join(folder.path, 'wallets'), BT_SUBTENSOR_CHAIN_ENDPOINT: node.url },
      ...{ QUARRY_BITTENSOR_NETWORK: 'local', QUARRY_DEBUG: '1' },
    });
    if (input !== undefined) process.child.stdin?.end(input);
    return process;
  }

  /** Runs a command to its end, and makes the blocks that it waits for. @param input what is typed */
  async function chain(args: string[], input = '') {
    const process = start(['chain', ...args], input);
    onTestFinished(() => void process.child.kill('SIGKILL'));
    const code = await node.outcome(process.ended());
    return { code, stdout: process.stdout, stderr: process.stderr };
  }

  const json = ({ stdout }: { stdout: string }) => JSON.parse(stdout);
  const grouped = (address: string) => address.replace(/(.{4})(?=.)/g, '$1 ');
  const refused = (words: RegExp) => ({ code: 1, stderr: expect.stringMatching(words) });
  const done = { code: 0, stdout: expect.stringMatching(/✓ Done/) };
  const ofRich = ['--wallet', 'rich', '--yes'];
  const typed = () => ['--typed', payee.slice(-4)];
  const netuid = String(NETUID);

  it('says which chain this is and what accounts have', async () => {
    expect((await chain(['status'])).stdout).toMatch(/local: (connected|behind), ws:[\s\S]*runtime 218/);
    expect(json(await chain(['balance', 'rich', payee, '--json']))).toMatchObject([
      { name: 'rich', address: rich, free: String(raoOf('100')) },
      { address: payee, free: '0' },
    ]);
    expect((await chain(['balance'])).stdout).toMatch(/rich +100 +99\.9999995/);
    expect(await chain(['balance', 'nobody'])).toMatchObject(
      refused(/«nobody» is no wallet .*, and not a Bittensor address/),
    );
  });

  it('says what subnets there are, and who is on them', async () => {
    expect((await chain(['subnets'])).stdout).toMatch(/SUBNET[\s\S]*1 +.*1\/256/);
    expect(json(await chain(['subnet', netuid, '--json']))).toMatchObject({ netuid: NETUID, own: 0 });
    expect(await chain(['subnet', '99'])).toMatchObject(refused(/no subnet 99/));
    expect((await chain(['price', '0'])).stdout).toBe('1 TAO\n');
  });

  it('sends nothing that nobody has said yes to, and shows it in full', async () => {
    const { code, stdout, stderr } = await chain(['transfer', payee, '1.5', '--wallet', 'rich'], `${PASSWORD}\n`);
    expect(stdout).toContain('Send 1.5 TAO');
    for (const address of [rich, payee]) expect(stdout).toContain(grouped(address));
    expect(stdout).toMatch(/fee +0\.\d+ TAO\n +left +98\.\d+ TAO/);
    expect(stderr).toContain(`--yes --typed ${payee.slice(-4)}`);
    expect(code).toBe(1);
    const unsaid = await chain(['transfer', payee, '1.5', ...ofRich], `${PASSWORD}\n`);
    expect(unsaid).toMatchObject(refused(/wants more than a yes/));
    expect(await chain(['transfer', payee, '1', '--json'])).toMatchObject(refused(/several wallets|nobody is there/));
  });

  it('sends nothing by a wrong password, nor what is not there', async () => {
    const wrong = await chain(['transfer', payee, '1.5', ...ofRich, ...typed()], 'another password\n');
    expect(wrong).toMatchObject(refused(/password is wrong/));
    const all = await chain(['transfer', payee, '1000', ...ofRich, ...typed()], `${PASSWORD}\n`);
    expect(all.stdout).toMatch(/not enough on this account/);
    expect(all).toMatchObject(refused(/not enough TAO/));
    expect(await chain(['transfer', payee, '1,5', '--wallet', 'rich'])).toMatchObject(refused(/not an amount/));
    expect(await chain(['transfer', rich.slice(1), '1', '--wallet', 'rich'])).toMatchObject(
      refused(/not a Bittensor address/),
    );
    expect((await chain(['calls'])).stdout).toMatch(/Nothing was sent/);
  });

  it('sends TAO, and tells when it is done', async () => {
    const sent = await chain(['transfer', payee, '1.5', ...ofRich, ...typed(), '--json'], `${PASSWORD}\n`);
    expect(sent.stderr).toContain(grouped(payee));
    const { draft, call } = json(sent);
    expect(draft).toMatchObject({ signedBy: 'coldkey', from: rich, moves: String(raoOf('1.5')) });
    expect(call).toMatchObject({ action: 'transfer', state: 'done', to: payee });
    expect(json(await chain(['balance', payee, '--json']))[0].free).toBe(String(raoOf('1.5')));
    expect((await chain(['calls'])).stdout).toMatch(/transfer .* -1\.5 .* done, block \d+ \(local\)/);
  });

  it('registers for no more than its limit', async () => {
    const register = ['register', netuid, ...ofRich, '--typed', netuid];
    const dear = await chain([...register, '--limit', '0.000000001'], `${PASSWORD}\n`);
    expect(dear).toMatchObject(refused(/more than your limit/));
    expect(await chain(register, `${PASSWORD}\n`)).toMatchObject(done);
    expect(await chain(register, `${PASSWORD}\n`)).toMatchObject(refused(/registered on the subnet already/));
  });

  it('serves, says something and sets weights, without a password', async () => {
    expect(await chain(['serve', netuid, ...ofRich])).toMatchObject(refused(/Say it with --ip/));
    const serve = ['serve', netuid, ...ofRich, '--ip', '203.0.113.9', '--axon-port', '8091'];
    expect(await chain(serve)).toMatchObject(done);
    expect((await chain(['subnet', netuid])).stdout).toMatch(/203\.0\.113\.9:8091 +rich\/default/);
    expect(await chain(['commitment', netuid, 'hello', ...ofRich])).toMatchObject(done);
    await node.blocks(RATE_LIMIT + 1);
    const weights = await chain(['weights', netuid, '0=1', '1=0.5', ...ofRich]);
    expect(weights.stdout).toMatch(/weights of 2 neurons .* openly/);
    expect(weights).toMatchObject(done);
    expect(await chain(['reveal', netuid, ...ofRich])).toMatchObject(refused(/No weights were committed/));
    expect(await chain(['weights', netuid, '0:1', '1:2'])).toMatchObject(refused(/3=0\.5/));
  });

  it('stakes nothing on a chain that holds to no price, and says so', async () => {
    const stake = await chain(['stake', netuid, rich, '1', ...ofRich], `${PASSWORD}\n`);
    expect(stake).toMatchObject(refused(/has no call addStakeLimit/));
    const unstake = await chain(['unstake', netuid, rich, '1', ...ofRich], `${PASSWORD}\n`);
    expect(unstake).toMatchObject(refused(/not so much staked/));
  });

  it('asks the node that runs, on no other chain than its own, and needs none', async () => {
    const other = await chain(['balance', '--network', 'test']);
    expect(other).toMatchObject(refused(/The node that runs is on local/));
    await running.stop();
    const { call } = json(await chain(['transfer', payee, '0.25', ...ofRich, '--json'], `${PASSWORD}\n`));
    expect(call).toMatchObject({ state: 'done', moves: String(raoOf('0.25')) });
  });
});
