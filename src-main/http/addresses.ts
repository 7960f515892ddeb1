import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';

/**
 * The address at which a proxy serves this node.
 * @throws QuarryError CONFIG_INVALID when it is no address of a web server, or more than its root
 */
export function parsePublicUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw invalid(say('settings.publicUrl'));
  }
  if (url.pathname !== '/') throw invalid(say('settings.publicUrlPath', { path: url.pathname }));
  return url;
}

function invalid(message: Words): QuarryError {
  const hint = say('settings.ownHost');
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint, field: 'publicUrl' });
}
