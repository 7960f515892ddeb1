/** An axon's process of `quarry bench axon`: ours, as a miner would run it, with a database of its own. */
import pino from 'pino';
import { z } from 'zod';
import { openAxon } from '../../bittensor/axon/axon.ts';
import { serve } from '../../bittensor/axon/served-synapse.ts';
import { defineSynapse } from '../../bittensor/synapse/synapse.ts';
import { AxonNonceStore } from '../../store/bittensor/axon-nonces.ts';
import { openDatabase } from '../../store/database.ts';

const [hotkey = '', database = ''] = process.argv.slice(2);
const ECHO = defineSynapse({
  name: 'Echo',
  fields: { prompt: z.string(), said: z.string().default('') },
  hashed: ['prompt'],
});

const rate = { perSecond: 1_000_000, burst: 1_000_000 };
const axon = await openAxon({
  hotkey,
  host: '127.0.0.1',
  port: 0,
  portSetting: { name: 'port', flag: '--port' },
  synapses: [serve(ECHO, ({ prompt }) => ({ said: prompt.toUpperCase() }))],
  limits: { perAddress: rate, perHotkey: rate },
  nonces: new AxonNonceStore(await openDatabase(database)),
  log: pino({ level: 'silent' }),
});
process.once('disconnect', () => process.exit());
process.send?.(Number(new URL(axon.url).port));
