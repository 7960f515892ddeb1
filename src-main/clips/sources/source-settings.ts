import { z } from 'zod';
import { LICENCES, SOURCE_KINDS, USABLE_LICENCES } from '../../../src-preload/contract/data-names.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { about, atOnce, safeWebAddress } from '../../base/setting.ts';

const path = z.string().min(1).max(4_096);
/** Of these a clip may be made; which of them are used, the settings say. */
const usable = LICENCES.filter((licence) => USABLE_LICENCES.includes(licence));

/** Where videos come from: a part of the settings `data`. All of it takes effect at once. */
export const sourceSettings = {
  folders: atOnce(
    z
      .array(path)
      .max(32)
      .default([])
      .meta(
        about('Folders with own videos that clips are made of.', {
          wanted: say('clipSources.wantedFolders'),
          isPath: 'always',
        }),
      ),
  ),
  sources: atOnce(
    z
      .array(z.enum(SOURCE_KINDS))
      .max(SOURCE_KINDS.length)
      .default(['folder', 'archive', 'commons'])
      .meta(about('Where videos are looked for. `ytdlp` asks sites in your name: see what is said there about terms.')),
  ),
  licences: atOnce(
    z
      .array(z.enum(usable))
      .max(usable.length)
      .default([...usable])
      .meta(about('Licences under which videos are used. Those that allow no derivatives never are.')),
  ),
  peertube: atOnce(
    safeWebAddress.optional().meta(
      about('A PeerTube server that is searched, or an index of many.', {
        wanted: say('clipSources.wantedAddress'),
        shownDefault: 'none',
      }),
    ),
  ),
  ytdlp: atOnce(path.optional().meta(about('Where your own yt-dlp is.', { isPath: 'always', shownDefault: 'none' }))),
  contact: atOnce(
    z
      .string()
      .trim()
      .min(3)
      .max(200)
      .regex(/^[\x21-\x7e]+$/)
      .optional()
      .meta(
        about(
          'An e-mail address or a page of yours that hosts are told with each question, so that they can write to whoever asks too much: Wikimedia wants one.',
          { wanted: say('clipSources.wantedContact'), shownDefault: 'none' },
        ),
      ),
  ),
};

const schema = z.object(sourceSettings);
/** Their values. */
export type SourceSettings = z.infer<typeof schema>;
