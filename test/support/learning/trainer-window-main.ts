import { app, protocol } from 'electron';
import { TrainerWindow } from '../../../src-main/desktop/child/trainer-window.ts';
import { APP_SCHEME_PRIVILEGES } from '../../../src-main/desktop/guards/app-protocol.ts';
import { guardContents } from '../../../src-main/desktop/guards/page-guards.ts';

/** An app of Electron that has the trainer's window and nothing else; what becomes of it stands in `globalThis.trainer`. */
const trainer = { ports: 0, gone: [] as string[] };
Object.assign(globalThis, { trainer });
app.enableSandbox();
protocol.registerSchemesAsPrivileged([APP_SCHEME_PRIVILEGES]);
app.on('web-contents-created', (_event, contents) => guardContents(contents));
void app.whenReady().then(() => {
  new TrainerWindow({
    onPort: () => {
      trainer.ports += 1;
    },
    onGone: (why) => trainer.gone.push(why),
  });
});
