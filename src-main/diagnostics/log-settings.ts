import { z } from 'zod';
import { about, section } from '../base/setting.ts';

export const logSettings = section({
  logLevel: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .meta(about('How much is logged.')),
});
