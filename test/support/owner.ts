import { readRunningNode } from '../../src-main/client/running-node.ts';

/** What a program of this account says to the node that runs on the data folder, to be let in. */
export async function ownerOf(dataDir: string): Promise<{ authorization: string }> {
  const { token } = (await readRunningNode(dataDir)) ?? {};
  return { authorization: `Bearer ${token}` };
}

/**
 * The cookie that a browser gets by a link that a node has printed, as Playwright's contexts take it. The link works once, its
 * cookie in any number of contexts.
 */
export async function cookieOfLink(link: string): Promise<{ name: string; value: string; url: string }> {
  const { headers, status } = await fetch(link, { redirect: 'manual' });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(headers.getSetCookie()[0] ?? '') ?? [];
  if (name === undefined || value === undefined) throw new Error(`The link ${link} lets nobody in: status ${status}.`);
  return { name, value, url: new URL(link).origin };
}
