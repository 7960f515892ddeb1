import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import {
  MAX_ATTRIBUTION_CHARS,
  MAX_CLIP_DESCRIPTION_CHARS,
  MAX_DATA_TITLE_CHARS,
} from '../../../src-preload/contract/data-limits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { attributionOf } from './attribution.ts';
import { whyUnusable } from './licences.ts';
import { line, plainText } from './plain-text.ts';

/** What a source says of a video, as long and as odd as it may be. */
export interface ToldVideo extends Omit<FoundVideo, 'attribution'> {
  /** Whether title, description and author are HTML. */
  isHtml: boolean;
}

const MOST_URL_CHARS = 2_000;

/** The same in plain text, within the limits, and with how it is to be attributed. */
export function foundVideo({ isHtml, ...told }: ToldVideo): FoundVideo {
  const clean = isHtml ? plainText : line;
  const title = clean(told.title, MAX_DATA_TITLE_CHARS) || told.id.slice(0, MAX_DATA_TITLE_CHARS);
  const of = {
    licence: told.licence,
    licenceUrl: shortUrl(told.licenceUrl),
    author: clean(told.author ?? '', MAX_ATTRIBUTION_CHARS) || null,
    page: shortUrl(told.page),
  };
  return {
    source: told.source,
    id: told.id,
    title,
    description: clean(told.description, MAX_CLIP_DESCRIPTION_CHARS),
    ...of,
    attribution: attributionOf(title, of),
    seconds: positive(told.seconds),
    bytes: positive(told.bytes),
  };
}

/** For what is about to be fetched. @throws UNSUPPORTED where its licence lets no clip be made of it */
export function checkLicence({ licence }: Pick<FoundVideo, 'licence'>): void {
  const message = whyUnusable(licence);
  if (message) throw new QuarryError({ code: 'UNSUPPORTED', message, hint: say('clipSources.otherVideo') });
}

/** A web address as it is kept; null for what is none. */
function shortUrl(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text.startsWith('//') ? `https:${text}` : text);
  const isWeb = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  return isWeb && url.href.length <= MOST_URL_CHARS ? url.href : null;
}

function positive(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value > 0 ? value : null;
}
