import { type Licence, USABLE_LICENCES } from '../../../src-preload/contract/data-names.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';

/** By the parts of a Creative Commons licence, in the order of their names today: `by-nd-nc` of version 1.0 is `by-nc-nd`. */
const BY_PARTS: Readonly<Record<string, Licence>> = {
  by: 'by',
  'by-sa': 'bySa',
  'by-nc': 'byNc',
  'by-nc-sa': 'byNcSa',
  'by-nd': 'byNd',
  'by-nc-nd': 'byNcNd',
};
const ORDER = ['by', 'nc', 'nd', 'sa'];

/** By PeerTube's numbers, 1 to 7. */
const BY_PEERTUBE: readonly Licence[] = ['by', 'bySa', 'byNd', 'byNc', 'byNcSa', 'byNcNd', 'publicDomain'];

/** What each is called where a work is attributed. */
const NAMES: Readonly<Record<Licence, string>> = {
  own: 'own',
  publicDomain: 'public domain',
  by: 'CC BY',
  bySa: 'CC BY-SA',
  byNc: 'CC BY-NC',
  byNcSa: 'CC BY-NC-SA',
  byNd: 'CC BY-ND',
  byNcNd: 'CC BY-NC-ND',
  unknown: 'unknown licence',
};

/** `/licenses/by-sa/3.0/de/deed.en`, `/publicdomain/zero/1.0/`: which, and its version. Nothing else may come after it: two addresses in a row would be the first. */
const PATH = /^\/(licenses|publicdomain)\/([a-z-]{2,20})(?:\/(\d\.\d))?(?:\/[a-z._-]*)*$/i;
/** Behind the parts of a name, in words of its own, what would make another licence of it. */
const MORE = /(?<![a-z])(nd|nc|sa)(?![a-z])|deriv|commercial|share/;

/** The licence that the address of a Creative Commons deed names; `unknown` for any other address. */
export function licenceOfUrl(text: string): Licence {
  const [, kind, name = ''] = deedOf(text) ?? [];
  if (kind === 'publicdomain') return ['zero', 'mark', 'certification'].includes(name) ? 'publicDomain' : 'unknown';
  if (name === 'publicdomain') return 'publicDomain';
  return licenceOfParts(name.split('-'));
}

/**
 * The licence that a name stands for, as Wikimedia Commons («CC BY-SA 3.0 de», «Public domain», «CC0») and video sites («Creative Commons Attribution license (reuse allowed)») write
 * it; `unknown` for any other, also for one that begins alike.
 */
export function licenceOfName(text: string): Licence {
  const name = text.trim().toLowerCase();
  if (/^(cc[ -]?0|cc[ -]zero|public domain|pd)(?![a-z0-9])/.test(name)) return 'publicDomain';
  const [begin = '', parts] = /^cc[ -](by(?:[ -](?:nc|nd|sa))*)(?![a-z])/.exec(name) ?? [];
  if (parts !== undefined) return MORE.test(name.slice(begin.length)) ? 'unknown' : licenceOfParts(parts.split(/[ -]/));
  if (!/^creative commons attribution(?![a-z])/.test(name)) return 'unknown';
  const has = (part: RegExp, code: string) => (part.test(name) ? [code] : []);
  return licenceOfParts([
    'by',
    ...has(/non[ -]?commercial/, 'nc'),
    ...has(/no[ -]?deriv/, 'nd'),
    ...has(/share[ -]?alike/, 'sa'),
  ]);
}

/** The licence of one of PeerTube's numbers; `unknown` for null, which is «nobody has said», and any other. */
export function licenceOfPeerTube(id: number | null): Licence {
  return (id !== null && BY_PEERTUBE[id - 1]) || 'unknown';
}

/** The numbers under which PeerTube has the licences, for a search. */
export function peerTubeIds(licences: readonly Licence[]): number[] {
  return BY_PEERTUBE.flatMap((licence, at) => (licences.includes(licence) ? [at + 1] : []));
}

/** «CC BY-SA 4.0»: the version is what the address says, if it says one. */
export function licenceName(licence: Licence, url: string | null): string {
  const [, kind, name, version] = (url !== null && deedOf(url)) || [];
  if (licence === 'publicDomain') return kind === 'publicdomain' && name === 'zero' ? 'CC0' : NAMES.publicDomain;
  return version === undefined ? NAMES[licence] : `${NAMES[licence]} ${version}`;
}

/** Whether a clip may be made of what is under a licence, and be passed on: into a data set, or to whoever asks for clips. */
export const mayBePassedOn = (licence: Licence) => USABLE_LICENCES.includes(licence);

/**
 * Why no clip may be made of a video; undefined where one may.
 * @param allowed what the settings let be used; those without a licence to change them are refused whatever it says
 */
export function whyUnusable(licence: Licence, allowed: readonly Licence[] = USABLE_LICENCES): Saying | undefined {
  if (licence === 'unknown') return say('clipSources.noLicence');
  if (!mayBePassedOn(licence)) return say('clipSources.noDerivatives', { licence: NAMES[licence] });
  return allowed.includes(licence) ? undefined : say('clipSources.notAllowed', { licence: NAMES[licence] });
}

function deedOf(text: string): RegExpExecArray | undefined {
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (!url || !/^https?:$/.test(url.protocol) || !/^(www\.)?creativecommons\.org$/.test(url.hostname)) return undefined;
  const deed = PATH.exec(url.pathname.toLowerCase());
  return deed ?? undefined;
}

function licenceOfParts(parts: readonly string[]): Licence {
  const known = parts.every((part) => ORDER.includes(part)) && new Set(parts).size === parts.length;
  const inOrder = [...parts].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)).join('-');
  return (known && BY_PARTS[inOrder]) || 'unknown';
}
