import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installedPath } from '../../../base/installation.ts';
import { HttpServer } from '../../../server/http-server.ts';
import type { LearningDoor } from '../../../server/learning/learning-door.ts';
import type { ProbeDoor } from '../../../server/probing/probe-door.ts';
import type { ServerOptions } from '../../../server/server-options.ts';
import { WebSessionStore } from '../../../store/web-sessions.ts';
import { NodeList } from '../../host/node-list.ts';
import { loadOrCreateToken } from '../../host/own-token.ts';
import type { Core } from '../core.ts';
import type { ClipsPart } from '../data/clips.ts';
import type { FocusPart } from '../focus/focus.ts';
import type { InferencePart } from '../inference/inference.ts';
import type { LearningPart } from '../learning/learning.ts';
import { type Report, wholeHealth } from '../report.ts';

/** The node's HTTP side. */
export interface ServerPart {
  /** Where it is. */
  readonly url: string;
}

export interface ServerNeeds {
  inference: Pick<InferencePart, 'models' | 'route'>;
  focus: Pick<FocusPart, 'takeChunk' | 'giveVideo'>;
  clips: Pick<ClipsPart, 'giveClip' | 'transcription'>;
  learningDoor: LearningDoor;
  probing: ProbeDoor;
  learning: Pick<LearningPart, 'giveExport'>;
  reports: readonly Report[];
  /** Implementation of the contract. */
  contract: ServerOptions['contract'];
}

/** Serves the screens and their contract, the OpenAI API over engine and mesh, metrics and health. @throws PORT_IN_USE */
export async function openServer(
  { config, db, door, lock, log, onDrain, onClose }: Core,
  { inference, reports, contract, focus, clips, learningDoor, learning, probing }: ServerNeeds,
): Promise<ServerPart> {
  const { host, port, apiToken: token, metricsToken, localApiOpen, tlsCert, tlsKey, publicUrl } = config;
  const localToken = await loadOrCreateToken(config.dataDir, 'localToken');
  const server = new HttpServer({
    host,
    port,
    token,
    metricsToken,
    localToken,
    localApiOpen,
    sessionStore: new WebSessionStore(db),
    tls: tlsCert && tlsKey ? { cert: tlsCert, key: tlsKey } : undefined,
    publicUrl,
    pages: pagesFolder(),
    log,
    models: () => inference.models(),
    route: (model) => inference.route(model),
    health: () => wholeHealth(reports),
    figures: reports.flatMap(({ figures = [] }) => figures),
    contract,
    learning: learningDoor,
    probing: config.inferenceProbes ? probing : undefined,
    transcribing: clips.transcription,
    takeChunk: focus.takeChunk,
    giveVideo: focus.giveVideo,
    giveExport: learning.giveExport,
    giveClip: clips.giveClip,
  });
  onDrain(() => server.drain());
  onClose(() => server.close());
  await server.open();
  await lock.announce(server.url, localToken);
  const nodes = new NodeList();
  await nodes.add(config.dataDir);
  onClose(() => nodes.remove(config.dataDir));
  door.leadsTo(server);
  return server;
}

/** The folder of the built screens; undefined where they were not built. */
function pagesFolder(): string | undefined {
  const folder = installedPath('out', 'renderer');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}
