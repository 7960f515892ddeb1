import { randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { testSigner } from './bittensor-signer.ts';
import { BLOCK_MS, commit, HOUR_MS, openCompetition, reveal } from './open-competition.ts';
import { report } from './report.ts';

/*
 * A competition with a miner at its door, which goes through one round after the other until it is killed: `node competition-busy-child.ts FOLDER AT`, where AT is the
 * moment at which its clock begins, in Unix milliseconds. What the miner is told is reported when it is.
 */

flushCompileCache(); // who is killed does not do it at the end

const [folder = '', at = ''] = process.argv.slice(2);
const clock = { at: Number(at) };
const { ask, competition } = await openCompetition(folder, { now: () => clock.at, lookMs: 5 });

for (;;) {
  const miner = await testSigner(`//${randomBytes(8).toString('hex')}`);
  const { body: current } = await ask(undefined, 'GET /rounds/current', undefined, { ip: '127.0.0.1' });
  const { said, secret } = await commit(ask, miner, { speed: 2, by: miner.address }, { round: current.round });
  if (said.status === 201) await report({ committed: secret.id, number: said.body.number, at: clock.at });
  clock.at += 100 * BLOCK_MS;
  const revealed = await reveal(ask, miner, secret);
  if (revealed.status === 200) await report({ revealed: secret.id, at: clock.at });
  clock.at += 16 * HOUR_MS;
  await competition.judged();
  const { rounds } = await competition.rounds();
  const ended = rounds.find(({ state }) => state === 'ended');
  if (ended) await report({ ended: ended.round, at: clock.at });
}
