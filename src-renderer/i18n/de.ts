import common from './de/common.json' with { type: 'json' };
import dashboard from './de/dashboard.json' with { type: 'json' };
import earnings from './de/earnings.json' with { type: 'json' };
import models from './de/models.json' with { type: 'json' };
import network from './de/network.json' with { type: 'json' };
import playground from './de/playground.json' with { type: 'json' };
import settings from './de/settings.json' with { type: 'json' };
import welcome from './de/welcome.json' with { type: 'json' };
import type { en } from './en.ts';

/** Every text of the screens in German, a file for each page. */
export const de: typeof en = { common, welcome, dashboard, earnings, models, playground, network, settings };
