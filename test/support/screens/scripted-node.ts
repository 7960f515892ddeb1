import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import { sampleCalls } from './sample-accounts.ts';
import { sampleAudits } from './sample-audits.ts';
import { sampleAxon } from './sample-axon.ts';
import { chainSubnets, sampleMetagraph } from './sample-chain.ts';
import { pictureOf, sampleData } from './sample-clips.ts';
import { sampleCompetition } from './sample-competition.ts';
import * as data from './sample-data.ts';
import { sampleEvaluation } from './sample-evaluation.ts';
import { RECORDINGS, RULES, SCORER } from './sample-focus.ts';
import { sampleLearning } from './sample-learning.ts';
import { sampleOptimiser } from './sample-optimiser.ts';
import { shelf, trade } from './sample-trade.ts';
import { sampleValidator } from './sample-validator.ts';
import type { ScriptedData } from './script/answers.ts';
import { CONNECTED } from './script/chain.ts';
import { scriptedSettings } from './script/settings.ts';
import { scriptedWallets } from './script/wallet.ts';
import { type RealRoutes, scriptedRouter } from './scripted-router.ts';

/**
 * Serves the built screens with answers out of a script: for pictures of states that take a real node hours to reach, and for
 * measurements that need a faster clock. What the contract promises is proved against real nodes, not here.
 */
export interface ScriptedNode {
  url: string;
  /** What the screens are told; change it and the next event or answer has it. */
  data: ScriptedData;
  /** Cuts all connections; new ones are taken. */
  cut(): void;
  close(): Promise<void>;
}

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** For which a call is on its way. */
const FINAL_MS = 500;
const ANSWER = 'A **mesh** is a network in which every node talks to others.\n\n```ts\nconst nodes = 3;\n```';

/**
 * @param overrides answers that differ from the sample data
 * @param pages folder of the built screens
 * @param port to listen on; default: a free one
 * @param real domains that are not out of the script
 */
export async function startScriptedNode(
  overrides: Partial<ScriptedData> = {},
  pages = resolve(import.meta.dirname, '../../../out/renderer'),
  port = 0,
  real: RealRoutes = {},
): Promise<ScriptedNode> {
  const answers: ScriptedData = {
    ...data,
    localModels: [...data.localModels, ...data.moreLocalModels],
    settings: scriptedSettings(),
    wallets: scriptedWallets(),
    chainState: CONNECTED,
    calls: sampleCalls,
    chainSubnets,
    metagraphOf: (netuid) => {
      const subnet = answers.chainSubnets.find((one) => one.netuid === netuid);
      return subnet ? sampleMetagraph(subnet) : null;
    },
    drafted: [],
    axon: sampleAxon,
    validator: sampleValidator(),
    learning: sampleLearning(),
    evaluation: sampleEvaluation(),
    optimiser: sampleOptimiser(),
    audits: sampleAudits(),
    trade,
    shelf,
    competition: sampleCompetition(),
    clips: sampleData(),
    untilFinal: () => sleep(FINAL_MS),
    refusal: undefined,
    onSend: () => {},
    samplesPerSecond: 1,
    session: { loggedIn: true, hasToken: false, inCheckout: true },
    failures: {},
    answer: () => ANSWER.split(/(?<= )/),
    pieceMs: 60,
    uses: [],
    library: [...RECORDINGS],
    scorer: SCORER,
    rules: RULES,
    scoring: [],
    reviews: [],
    judged: [],
    conversations: [],
    ...overrides,
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://scripted');
    if (pathname === '/session') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answers.session));
      return;
    }
    const picture = pictureOf(pathname);
    if (picture !== undefined) {
      response.setHeader('content-type', 'image/svg+xml').end(picture);
      return;
    }
    const file = join(pages, pathname === '/' ? 'index.html' : pathname);
    const bytes = file.startsWith(pages)
      ? await readFile(file).catch(ignoring('what cannot be read is answered with 404'))
      : undefined;
    response.statusCode = bytes ? 200 : 404;
    response.setHeader('content-type', CONTENT_TYPES[extname(file)] ?? 'application/octet-stream').end(bytes);
  });
  const sockets = new WebSocketServer({ server, path: '/rpc/ws' });
  const handler = new RPCHandler(await scriptedRouter(answers, real));
  sockets.on('connection', (socket) => void handler.upgrade(socket, { context: { confidential: true } }));
  const cut = () => {
    for (const socket of sockets.clients) socket.terminate();
  };
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    data: answers,
    cut,
    async close() {
      cut();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
if (import.meta.main) {
  const node = await startScriptedNode();
  process.stdout.write(`${node.url}\n`);
}
