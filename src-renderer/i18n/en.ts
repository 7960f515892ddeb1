import common from './en/common.json' with { type: 'json' };
import dashboard from './en/dashboard.json' with { type: 'json' };
import earnings from './en/earnings.json' with { type: 'json' };
import models from './en/models.json' with { type: 'json' };
import network from './en/network.json' with { type: 'json' };
import playground from './en/playground.json' with { type: 'json' };
import settings from './en/settings.json' with { type: 'json' };
import welcome from './en/welcome.json' with { type: 'json' };

/** Every text of the screens in English, a file for each page. */
export const en = { common, welcome, dashboard, earnings, models, playground, network, settings };
