import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { RouterClient } from '@orpc/server';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { focusRoutes } from '../../../src-main/app/routes/focus.ts';
import { implementer } from '../../../src-main/app/routes/implementer.ts';
import { Tickets } from '../../../src-main/base/tickets.ts';
import { videoRoad } from '../../../src-main/focus/media/video-road.ts';
import type { Videos } from '../../../src-main/focus/media/videos.ts';
import { FOCUS_VIDEO_PATH } from '../../../src-preload/contract/focus-limits.ts';
import { cookieOf, openServer, raw } from '../../support/server-harness.ts';
import { openPage } from '../../support/socket-harness.ts';

const TOKEN = 'a token of some length';
const ID = '6f1c1f5e-0000-4000-8000-000000000001';
const SHAPE = { columns: 1, width: 1, height: 1, times: [0] };

/** The node's own routes, with videos that are all this file. */
function served() {
  const tickets = new Tickets(() => 0, FOCUS_VIDEO_PATH);
  const videos = {
    view: async (id, lasts) => tickets.give(id, lasts),
    async *strip(id, _signal, lasts) {
      yield { type: 'done', strip: { ...SHAPE, ...tickets.give(id, lasts) } };
    },
    async *export({ id }, _signal, lasts) {
      const about = { path: id, durationMs: 1, bytes: 1, hasSound: false, kept: [] };
      yield { type: 'done', download: tickets.give(id, lasts).path, ...about };
    },
  } satisfies Partial<Videos> as unknown as Videos;
  const part = { videos, scores: {} } as unknown as Parameters<typeof focusRoutes>[1];
  const needs = { until: (signal?: AbortSignal) => signal ?? new AbortController().signal };
  const domain = implementer(pino({ level: 'silent' })).domain('focus');
  const { view, strip, export: exported } = focusRoutes(domain, part, needs);
  const giveVideo = (request: Request) =>
    videoRoad((ticket) => (tickets.subjectOf(ticket) ? import.meta.filename : undefined), request);
  return { router: { view, strip, exported }, giveVideo };
}

it('gives no video by a ticket whose login has ended', async () => {
  const { router, giveVideo } = served();
  const { url } = await openServer({ token: TOKEN, contract: router, giveVideo });
  const paths = async (cookie: string): Promise<string[]> => {
    const page = await openPage(url, { headers: { cookie } });
    const client = createORPCClient<RouterClient<typeof router>>(new RPCLink({ websocket: page }));
    const [made] = await Array.fromAsync(await client.exported({ id: ID }));
    const download = made?.type === 'done' ? made.download : '';
    const [drawn] = await Array.fromAsync(await client.strip({ id: ID }));
    const strip = drawn?.type === 'done' ? drawn.strip.path : '';
    return [(await client.view({ id: ID })).path, strip, download];
  };
  const login = async () => cookieOf(await raw(`${url}/session`, { body: { token: TOKEN }, headers: { origin: url } }));
  const [mine, others] = [await login(), await login()];
  const [ended, kept] = [await paths(mine), await paths(others)];
  const statuses = (all: string[]) => Promise.all(all.map(async (path) => (await fetch(url + path)).status));
  expect(await statuses([...ended, ...kept])).toEqual([200, 200, 200, 200, 200, 200]);
  await raw(`${url}/session`, { method: 'DELETE', headers: { cookie: mine, origin: url } });
  expect(await statuses(ended)).toEqual([404, 404, 404]);
  expect(await statuses(kept)).toEqual([200, 200, 200]);
});
