import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Tickets } from '../../../../src-main/base/tickets.ts';
import { videoRoad } from '../../../../src-main/focus/media/video-road.ts';
import { FOCUS_VIDEO_PATH } from '../../../../src-preload/contract/focus-limits.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-road-'));
  await writeFile(join(dir, 'video.webm'), '0123456789');
  await writeFile(join(dir, 'strip.jpg'), 'jpeg');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function asked(range?: string, { ticket = 'valid', method = 'GET', file = 'video.webm' } = {}) {
  const request = new Request(`http://node/focus/video/${ticket}`, { method, headers: range ? { range } : {} });
  const answer = await videoRoad((one) => (one === 'valid' ? join(dir, file) : undefined), request);
  const { status, headers } = answer;
  expect(headers.get('cache-control')).toBe('no-store');
  return {
    status,
    text: await answer.text(),
    range: headers.get('content-range'),
    length: headers.get('content-length'),
  };
}

describe('videoRoad', () => {
  it('gives the whole', async () => {
    expect(await asked()).toEqual({ status: 200, text: '0123456789', range: null, length: '10' });
    expect(await asked(undefined, { method: 'HEAD' })).toMatchObject({ status: 200, text: '', length: '10' });
  });

  it('gives small pictures of a video to who has a ticket to it', async () => {
    const asked = new Request('http://node/focus/video/valid/strip.jpg');
    const answer = await videoRoad(
      (one, kind) => join(dir, one === 'valid' && kind === 'strip' ? 'strip.jpg' : 'no'),
      asked,
    );
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'image/jpeg',
      'jpeg',
    ]);
  });

  it.each([
    ['bytes=0-', '0123456789', 'bytes 0-9/10'],
    ['bytes=3-5', '345', 'bytes 3-5/10'],
    ['bytes=9-99', '9', 'bytes 9-9/10'],
    ['bytes=-4', '6789', 'bytes 6-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('gives a range: %s', async (header, text, range) => {
    expect(await asked(header)).toEqual({ status: 206, text, range, length: String(text.length) });
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('says that nothing is there: %s', async (header) => {
    expect(await asked(header)).toMatchObject({ status: 416, text: '', range: 'bytes */10' });
  });

  it.each(['bytes=', 'bytes=-', 'bytes=5-3', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b'])(
    'heeds no %s',
    async (header) => {
      expect(await asked(header)).toMatchObject({ status: 200, length: '10' });
    },
  );

  it('gives nothing without a valid ticket, of what is gone, or to who wants to write', async () => {
    expect(await asked(undefined, { ticket: 'another' })).toMatchObject({ status: 404, text: '' });
    expect(await asked(undefined, { ticket: '' })).toMatchObject({ status: 404, text: '' });
    expect(await asked(undefined, { ticket: '../video.webm' })).toMatchObject({ status: 404, text: '' });
    expect(await asked(undefined, { file: 'gone' })).toMatchObject({ status: 404, text: '' });
    expect(await asked(undefined, { method: 'DELETE' })).toMatchObject({ status: 405, text: '' });
  });
});

describe('Tickets', () => {
  const ticketIn = ({ path }: { path: string }) => path.split('/').at(-1) ?? '';

  it('are good for one recording, and for an hour', () => {
    let now = 1_000;
    const tickets = new Tickets(() => now, FOCUS_VIDEO_PATH);
    const [one, other] = [tickets.give('one'), tickets.give('other')];
    expect(one.path).toMatch(/^\/focus\/video\/[\w-]{43}$/);
    expect(one.expiresAt).toBe(1_000 + 3_600_000);
    expect([one, other].map(ticketIn).map((ticket) => tickets.subjectOf(ticket))).toEqual(['one', 'other']);
    now = one.expiresAt;
    expect(tickets.subjectOf(ticketIn(one))).toBeUndefined();
    expect(tickets.subjectOf('')).toBeUndefined();
  });

  it('end with the login of who was given them, for good', () => {
    const tickets = new Tickets(() => 0, FOCUS_VIDEO_PATH);
    let isLoggedIn = true;
    const [one, other] = [tickets.give('one', () => isLoggedIn), tickets.give('other')].map(ticketIn);
    expect(tickets.subjectOf(one ?? '')).toBe('one');
    isLoggedIn = false;
    expect(tickets.subjectOf(one ?? '')).toBeUndefined();
    isLoggedIn = true;
    expect([one, other].map((ticket) => tickets.subjectOf(ticket ?? ''))).toEqual([undefined, 'other']);
  });

  it('are so many at most: the oldest gives way', () => {
    const tickets = new Tickets(() => 0, FOCUS_VIDEO_PATH);
    const given = Array.from({ length: 201 }, (_, index) => ticketIn(tickets.give(String(index))));
    expect(given.map((ticket) => tickets.subjectOf(ticket)).slice(0, 2)).toEqual([undefined, '1']);
    expect(tickets.subjectOf(given.at(-1) ?? '')).toBe('200');
  });
});
