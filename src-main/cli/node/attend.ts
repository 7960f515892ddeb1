import { once } from 'node:events';
import { ignoring } from '../../base/swallowed.ts';
import { interruptible } from '../terminal/interruption.ts';
import type { Output } from '../terminal/output.ts';
import { clock, introduce, type ReportedNode, report, screensOf } from './node-report.ts';

/** Whoever keeps a node that may be replaced. */
export interface ReportedHost {
  readonly app: ReportedNode | undefined;
  on(event: 'open', listener: (app: ReportedNode) => void): this;
}

/** Says what there is to say of the node, and of each that takes its place, until the signal aborts. */
export async function attend(host: ReportedHost, output: Output, signal: AbortSignal): Promise<void> {
  let first = true;
  const present = async (app: ReportedNode) => {
    await modelSettled(app, signal);
    if (host.app !== app) return; // closed meanwhile: the next one is presented
    const status = await app.node.status();
    const screens = screensOf(app, status);
    if (first) output.document({ ...status, screens: screens.url });
    first = false;
    await introduce(app, status, screens, output);
    report(app, output);
  };
  host.on('open', (app) => {
    output.line(`${clock()} started again with other settings`);
    void present(app).catch(ignoring('it runs, whether or not there is something to say'));
  });
  const { app } = host;
  if (app) {
    await present(app).catch((error: unknown) => {
      if (host.app === app) throw error;
    });
  }
  if (!signal.aborted) await once(signal, 'abort');
}

/** The model is there, or could not be loaded: the status says which. */
async function modelSettled({ mining }: ReportedNode, signal: AbortSignal): Promise<void> {
  if (mining?.switch.state !== 'starting') return;
  await interruptible(mining.switch.start().catch(ignoring('the status says that it could not be loaded')), signal);
}
