import { z } from 'zod';
import { MAX_NODE_NAME_CHARS } from '../../src-preload/contract/limits.ts';
import { ROLES } from '../../src-preload/contract/node.ts';
import { defaultDataDir } from '../base/data-folder.ts';
import { about, atOnce, readAnew, section } from '../base/setting.ts';

/** What a node is. */
export const nodeSettings = section({
  dataDir: z
    .string()
    .min(1)
    .default(defaultDataDir)
    .meta(
      about('Folder of identity, ledger and models.', {
        isPath: 'always',
        option: { form: '--data <dir>', help: 'data folder: identity, ledger, models' },
        shownDefault: 'the system’s folder for application data',
      }),
    ),
  role: z
    .enum(ROLES)
    .default('miner')
    .meta(
      about('Serve others (miner), ask miners challenges (validator), or only ask (client).', {
        option: {
          form: '--role <role>',
          help: 'what this node does: miner serves others, validator asks miners challenges, client only asks',
          command: 'start',
        },
      }),
    ),
  nodeName: atOnce(
    z
      .string()
      .min(1)
      .max(MAX_NODE_NAME_CHARS)
      .optional()
      .meta(
        about(
          'What this computer is called on its own screens and on those of the nodes paired with it; nobody else sees it.',
          {
            shownDefault: 'the computer’s host name',
          },
        ),
      ),
  ),
  drainSeconds: z
    .int()
    .min(0)
    .max(3_600)
    .default(30)
    .meta(
      about(
        'Seconds that work under way may take to come to its end when a node on a server is ended by SIGTERM, as systemd and containers do; it takes nothing new meanwhile.',
      ),
    ),
  mineOnStart: readAnew(
    z
      .boolean()
      .default(true)
      .meta(
        about(
          'Whether a miner begins to serve the mesh as soon as it is started. Unless this is set, the welcome has to be done first; in the desktop app in any case.',
          {
            option: {
              form: '--mine',
              help: 'serve the mesh at once, before the welcome is done too',
              command: 'start',
            },
          },
        ),
      ),
  ),
});
