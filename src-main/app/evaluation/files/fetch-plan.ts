import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { hubFileAddress } from '../../../models/hub-address.ts';
import type { Origin, PublishedFile } from '../../../subnets/quasar/tasks/published/published-files.ts';
import {
  PUBLISHED_TASKS,
  publishedCalled,
  publishedWith,
} from '../../../subnets/quasar/tasks/published/published-tasks.ts';

/** One thing to be fetched: a file, a zip that several are in, or rows of which one is made. */
export type FetchStep =
  | { kind: 'file'; file: PublishedFile; address: string }
  /** `members`: names of files by what they are called in it. */
  | { kind: 'zip'; name: string; address: string; members: ReadonlyMap<string, string> }
  | { kind: 'rows'; file: PublishedFile; part: { dataset: string; config: string; split: string } };

/** Which files a wish means. @param suites none: all @throws BAD_REQUEST for a suite that wants no file */
export function wantedFiles(
  files: readonly PublishedFile[],
  { suites, all }: { suites: readonly string[]; all: boolean },
): PublishedFile[] {
  const names = new Set(files.flatMap(({ dataset }) => [dataset, publishedWith(dataset)]));
  const unknown = suites.find((suite) => !names.has(suite));
  if (unknown !== undefined) throw noSuite(unknown, names);
  const isMeant = ({ dataset }: PublishedFile) =>
    suites.length === 0 || suites.some((suite) => belongs(dataset, suite));
  const isNamed = ({ dataset, required }: PublishedFile) => required && suites.includes(dataset);
  return files.filter((file) => isMeant(file) && (all || !file.extra || isNamed(file)));
}

/** What is for all that is published together belongs to each data set of it, too. */
function belongs(dataset: string, suite: string): boolean {
  const called = publishedCalled(suite).map(({ name }) => name);
  return (
    called.includes(dataset) || (!PUBLISHED_TASKS.has(dataset) && called.some((one) => publishedWith(one) === dataset))
  );
}

/**
 * How they are fetched: a zip once, for all that are in it and not here yet.
 * @param missing that are wanted @param inZip all that are not here, wanted or not: a zip that is fetched gives all that it has
 */
export function stepsFor(
  missing: readonly PublishedFile[],
  inZip: readonly PublishedFile[],
  endpoint: string,
): FetchStep[] {
  const zips = new Map<string, FetchStep>();
  return missing.flatMap((file): FetchStep[] => {
    const { origin } = file;
    if (origin.type === 'hub-table') {
      const { repo: dataset, config, split } = origin;
      return [{ kind: 'rows', file, part: { dataset, config, split } }];
    }
    const address = addressOf(origin, endpoint);
    if (origin.type === 'web' || origin.member === undefined) return [{ kind: 'file', file, address }];
    if (zips.has(address)) return [];
    const members = membersOf(inZip, origin);
    const zip: FetchStep = { kind: 'zip', name: zipName(origin), address, members };
    zips.set(address, zip);
    return [zip];
  });
}

/** Where a file is, at the hub or its mirror. */
export function addressOf(origin: Origin, endpoint: string): string {
  if (origin.type === 'web') return origin.url;
  const hub = endpoint.replace(/\/+$/, '');
  if (origin.type === 'hub-table') return `${hub}/datasets/${origin.repo}`;
  return hubFileAddress(hub, `datasets/${origin.repo}`, 'main', origin.path);
}

/** `LongBench-data.zip`: what is here of it must not be taken for another one. */
export const zipName = ({ repo, path }: Extract<Origin, { type: 'hub' }>) => `${repo.replace(/^.*\//, '')}-${path}`;

function membersOf(files: readonly PublishedFile[], zip: Extract<Origin, { type: 'hub' }>): Map<string, string> {
  const members = files.flatMap(({ file, origin }): [string, string][] => {
    if (origin.type !== 'hub' || origin.member === undefined) return [];
    return origin.repo === zip.repo && origin.path === zip.path ? [[origin.member, file]] : [];
  });
  return new Map(members);
}

const noSuite = (suite: string, names: ReadonlySet<string>) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('contextFiles.noSuite', { suite }),
    hint: say('contextFiles.suites', { names: [...names] }),
    field: 'suites',
  });
