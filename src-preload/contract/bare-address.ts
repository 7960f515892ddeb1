import { z } from 'zod';
import { values } from './sayings/values.ts';

export const httpAddress = z.url({ protocol: /^https?$/, error: values['value.webAddress'] }).max(2_048);

/** Of a server. What else an address may hold is a secret, or is not passed on. */
export const bareAddress = httpAddress.refine(isBare, values['value.bareAddress']);

function isBare(address: string): boolean {
  if (!URL.canParse(address)) return true; // that it is none is said already
  const { username, password, search } = new URL(address);
  return username === '' && password === '' && search === '';
}
