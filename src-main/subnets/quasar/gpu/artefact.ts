import { z } from 'zod';
import { hexPattern } from '../../../../src-preload/contract/limits.ts';
import { parsedJson } from '../../../base/json-text.ts';

/** What the track begins with: not a repository, but what stands in resources/gpu-track/reference.py. No submission looks like it. */
export const REFERENCE: Uint8Array = Buffer.from('{"reference":1}');

/** `https://`, names with a dot and no number for the last one, no port, nobody’s name, and a plain path: nothing that git or a shell could take for something else. */
const URL_LOOKS =
  /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}(?:\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}){1,5}$/;

const repositorySchema = z.strictObject({
  commit: z.string().regex(hexPattern(20)),
  url: z.string().max(300).regex(URL_LOOKS),
});

/** What a submission of this track names: one commit of one repository. */
export type Repository = z.infer<typeof repositorySchema>;

/** The bytes that are committed to: RFC 8785 JSON, so that the same commit is the same bytes. @returns undefined for what is no repository */
export function artefactOf(repository: Repository): Buffer | undefined {
  const read = repositorySchema.safeParse(repository);
  if (!read.success) return undefined;
  const { commit, url } = read.data;
  return Buffer.from(JSON.stringify({ commit, url }));
}

/** @returns undefined for what names none, or names it in other words */
export function repositoryOf(artefact: Uint8Array): Repository | undefined {
  const bytes = Buffer.from(artefact);
  const read = repositorySchema.safeParse(parsedJson(bytes.toString('utf8')));
  return read.success && artefactOf(read.data)?.equals(bytes) ? read.data : undefined;
}
