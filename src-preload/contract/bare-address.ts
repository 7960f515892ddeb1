import { z } from 'zod';
import { isBare } from './is-bare.ts';
import { values } from './sayings/values.ts';

export const httpAddress = z.url({ protocol: /^https?$/, error: values['value.webAddress'] }).max(2_048);

/** Of a server. That a text is no address at all is said already. */
export const bareAddress = httpAddress.refine(
  (address) => !URL.canParse(address) || isBare(address),
  values['value.bareAddress'],
);
